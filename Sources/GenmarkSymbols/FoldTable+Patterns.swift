// SPDX-License-Identifier: MIT
//
// FoldTable+Patterns: the built-in patterns, as data. A function is in it when nobody who looks for growth wants to
// read its name: it allocates because its caller asked it to. Swift's standard library is not in it: it is compiled
// into programs under many names, and SwiftName knows it by its module.

extension FoldTable {
  /// In the syntax of `FoldPattern`.
  static let builtIn: [String] =
    libc + wrappers + cxx + swift + glib + libraries + interpreters

  /// For functions of Rust alone. Elsewhere "core" is anybody's name.
  static let rust = [
    "alloc::*", "core::*", "std::*", "<alloc::*", "<core::*", "<std::*", "hashbrown::*", "<hashbrown::*",
    "__rustc::*", "<* as alloc::*", "<* as core::alloc::*",
  ]

  /// The malloc family, under all names that libc and the allocators that replace it have.
  private static let libc = [
    "malloc", "calloc", "realloc", "reallocarray", "reallocf", "memalign", "posix_memalign", "aligned_alloc",
    "valloc", "pvalloc", "__libc_malloc", "__libc_calloc", "__libc_realloc", "__libc_memalign", "__libc_valloc",
    "__libc_pvalloc", "__libc_reallocarray", "_int_malloc", "_int_realloc", "_int_memalign", "_mid_memalign",
    "sysmalloc", "malloc_hook_ini", "malloc_consolidate", "tcache_init", "ptmalloc_init", "__posix_memalign", "je_*",
    "mi_malloc*", "mi_calloc*", "mi_realloc*", "mi_new*", "mi_heap_*", "tc_malloc", "tc_calloc", "tc_realloc",
    "tc_new*",
    // Text that libc allocates for its caller.
    "strdup", "__strdup", "strndup", "__strndup", "wcsdup", "__wcsdup", "asprintf", "__asprintf", "__asprintf_chk",
    "vasprintf", "__vasprintf", "__vasprintf_chk", "__vasprintf_internal", "_IO_vasprintf", "getline", "__getline",
    "_IO_getline", "getdelim", "__getdelim", "_IO_getdelim", "realpath", "__realpath", "__realpath_chk",
    "realpath_stk", "getcwd", "__getcwd", "scratch_buffer_*", "__libc_scratch_buffer_*", "open_memstream",
    "__open_memstream", "_dl_allocate_tls*", "allocate_dtv", "_dl_resize_dtv", "__rust_alloc*", "__rust_realloc*",
    "__rdl_*", "__rg_*", "__tls_get_addr", "__tls_get_addr_slow", "_IO_file_doallocate", "_IO_doallocbuf",
  ]

  /// "malloc or die", as the GNU project taught it and many programs have it.
  private static let wrappers = [
    "xmalloc", "xcalloc", "xrealloc", "xreallocarray", "xmemdup", "xmemdup0", "xstrdup", "xstrndup", "xasprintf",
    "xvasprintf", "xzalloc", "xnmalloc", "xnrealloc", "xpalloc", "x2realloc", "x2nrealloc", "xcharalloc",
  ]

  /// The standard library, its allocators, and operator new.
  private static let cxx = [
    "operator new*", "std::*", "__gnu_cxx::*", "__gnu_debug::*", "__cxxabiv1::*", "__cxa_allocate_exception",
    "__cxa_allocate_dependent_exception", "__cxa_get_globals", "__cxa_thread_atexit*", "__cxa_atexit", "_Znwm",
    "_Znam", "boost::container::*", "boost::alignment::*", "boost::pool*", "boost::make_shared*",
    "absl::container_internal::*", "absl::lts_*container_internal::*", "llvm::safe_malloc", "llvm::allocate_buffer",
    "llvm::SmallVectorBase::*", "QArrayData::allocate*", "QArrayData::reallocate*", "QListData::*", "QHashData::*",
    "QMapDataBase::*", "__gnat_malloc",
  ]

  private static let swift = [
    "swift_*", "_swift_*", "__swift_*", "libswiftCore.so!", "libswift_Concurrency.so!",
    "libswift_StringProcessing.so!", "libswift_RegexParser.so!", "libswiftSynchronization.so!",
    "libBlocksRuntime.so!", "_Block_copy*", "_Block_object_assign*",
  ]

  private static let glib = [
    "g_malloc*", "g_realloc*", "g_try_malloc*", "g_try_realloc*", "g_aligned_alloc*", "g_rc_box_*",
    "g_atomic_rc_box_*", "g_strdup*", "g_strndup", "g_strnfill", "g_strconcat", "g_strjoin*", "g_strsplit*",
    "g_memdup*", "g_slice_alloc*", "g_slice_copy", "g_slice_new", "g_vasprintf", "g_string_expand",
    "g_string_maybe_expand", "g_array_maybe_expand", "g_ptr_array_maybe_expand", "allocator_add_slab",
    "slab_allocator_*", "magazine_chain_*", "thread_memory_*",
  ]

  /// Allocators of libraries that are everywhere.
  private static let libraries = [
    "sqlite3MemMalloc", "sqlite3MemRealloc", "sqlite3Malloc*", "sqlite3_malloc*", "sqlite3Realloc",
    "sqlite3_realloc*", "sqlite3DbMalloc*", "sqlite3DbRealloc*", "sqlite3DbStrDup", "sqlite3DbStrNDup",
    "dbMallocRawFinish", "mallocWithAlarm", "xmlMalloc*", "xmlMemMalloc", "xmlMemStrdup*", "xmlStrdup", "xmlStrndup",
    "xmlCharStrdup", "CRYPTO_malloc", "CRYPTO_zalloc", "CRYPTO_realloc*", "CRYPTO_strdup", "CRYPTO_strndup",
    "CRYPTO_memdup", "curl_dbg_malloc", "curl_dbg_calloc", "curl_dbg_strdup", "Curl_memdup*", "apr_palloc",
    "apr_pcalloc", "jsonp_malloc", "jsonp_strdup", "jsonp_strndup", "json_malloc", "redis-server!z*alloc*",
    "uv__malloc", "uv__calloc", "uv__realloc", "uv__strdup", "av_malloc*", "av_mallocz*", "av_realloc*", "av_calloc",
    "av_strdup", "OPENSSL_malloc*",
  ]

  private static let interpreters = [
    // Perl.
    "Perl_safesysmalloc", "Perl_safesyscalloc", "Perl_safesysrealloc", "Perl_malloc", "Perl_calloc", "Perl_realloc",
    "Perl_savepv*", "Perl_savesvpv", "Perl_more_bodies", "Perl_more_sv", "S_more_sv", "S_new_sv", "Perl_sv_grow*",
    "Perl_sv_add_arena",
    // CPython.
    "PyMem_*", "_PyMem_*", "PyObject_Malloc", "PyObject_Calloc", "PyObject_Realloc", "_PyObject_Malloc",
    "_PyObject_Calloc", "_PyObject_Realloc", "_PyObject_New", "_PyObject_NewVar", "_PyObject_GC_*", "PyObject_GC_*",
    "PyType_GenericAlloc", "_PyType_AllocNoTrack", "pymalloc_alloc", "pymalloc_realloc", "allocate_from_new_pool",
    "python*!new_arena", "libpython*!new_arena", "python*!gc_alloc", "libpython*!gc_alloc",
    // What makes or grows one of its own objects: who asked for it counts.
    "PyBytes_From*", "_PyBytes_FromSize", "_PyBytes_Resize", "PyByteArray_From*", "PyByteArray_Resize",
    "PyUnicode_New", "PyUnicode_From*", "_PyUnicode_From*", "PyUnicode_Decode*", "unicode_decode_utf8*",
    "resize_compact",
    "PyList_New", "PyList_Append", "_PyList_AppendTakeRefListResize", "list_resize", "app1", "PyTuple_New",
    "tuple_alloc", "PyDict_New", "new_dict", "new_keys_object", "dictresize", "insertdict", "insertion_resize",
    "PyDict_SetItem*", "_PyDict_SetItem*", "PyLong_From*", "_PyLong_New", "PyFloat_From*", "PyCapsule_New",
    // Ruby, Lua, PHP.
    "ruby_xmalloc*", "ruby_xcalloc*", "ruby_xrealloc*", "objspace_xmalloc*", "luaM_*", "lua*!l_alloc",
    "liblua*!l_alloc", "_emalloc*", "_ecalloc*", "_erealloc*", "_estrdup*", "__zend_malloc", "zend_mm_*",
  ]
}
