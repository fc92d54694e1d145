// SPDX-License-Identifier: MIT
//
// KnownGrowth+List: the stores that are known. How a call site is held against them is in KnownGrowth.
//
// What belongs here: a store whose bound does not depend on how often the program does the same thing again, and which
// keeps nothing on behalf of the program's own objects. Pools that hold objects (perl's arenas of values, slices of glib,
// python's small blocks) do not: a leak of objects shows in them and nowhere else. Nor do tables of interned texts, which
// have no bound when the texts are made at run time.

extension KnownGrowth {
  static let all = [
    KnownGrowth(
      library: "libdispatch", modules: ["libdispatch.so"], functions: ["_dispatch_continuation_alloc_from_heap"],
      reason:
        "libdispatch keeps continuations that have run for the next ones: blocks of 64 bytes, up to about 1,700 in all",
      versions: "seen with Swift 5.9 to 6.3"),
    KnownGrowth(
      library: "the Swift runtime", modules: ["libswiftCore.so"],
      functions: [
        "swift_getGenericMetadata", "swift_allocateGenericValueMetadata", "swift_allocateGenericClassMetadata",
        "swift_getTupleTypeMetadata", "swift_getTupleTypeMetadata2", "swift_getTupleTypeMetadata3",
        "swift_getFunctionTypeMetadata", "swift_getFunctionTypeMetadata0", "swift_getFunctionTypeMetadata1",
        "swift_getFunctionTypeMetadata2", "swift_getExtendedFunctionTypeMetadata", "swift_getExistentialTypeMetadata",
        "swift_getExtendedExistentialTypeMetadata", "swift_getMetatypeMetadata", "swift_getExistentialMetatypeMetadata",
        "swift_getForeignTypeMetadata", "swift_getOpaqueTypeMetadata", "swift_getOpaqueTypeMetadata2",
        "swift_getSingletonMetadata", "swift_initClassMetadata2", "swift_updateClassMetadata2",
      ],
      reason:
        "the Swift runtime keeps the metadata of every type, one for each set of generic arguments that the program uses",
      versions: "Swift 5.0 to 6.3"),
    KnownGrowth(
      library: "the Swift runtime", modules: ["libswiftCore.so"],
      functions: [
        "swift_conformsToProtocol", "swift_conformsToProtocol2", "swift_conformsToProtocolCommon",
        "swift_getWitnessTable", "swift_getAssociatedTypeWitness", "swift_getAssociatedConformanceWitness",
        "swift_getTypeByMangledName", "swift_getTypeByMangledNameInContext", "swift_getTypeByMangledNameInContext2",
        "swift_getTypeByMangledNameInContextInMetadataState",
      ],
      reason:
        "the Swift runtime remembers which type conforms to which protocol: a table that doubles up to the number of pairs asked for",
      versions: "Swift 5.0 to 6.3"),
    KnownGrowth(
      library: "perl", modules: ["perl", "libperl.so"],
      functions: [
        "Perl_init_stacks", "Perl_new_stackinfo", "Perl_new_stackinfo_flags", "Perl_stack_grow", "Perl_savestack_grow",
        "Perl_savestack_grow_cnt", "Perl_markstack_grow", "Perl_cxinc", "Perl_tmps_grow_p",
      ],
      reason:
        "perl keeps its own stacks (arguments, contexts, saved values, temporaries) as long as the deepest call and the longest list needed them",
      versions: "perl 5.8 to 5.42", since: Version(5, 8), through: Version(5, 42)),
    KnownGrowth(
      library: "perl", modules: ["perl", "libperl.so"], functions: ["Perl_pad_push"],
      reason: "perl keeps the variables of a sub that calls itself, one set for each depth that was reached",
      versions: "perl 5.8 to 5.42", since: Version(5, 8), through: Version(5, 42)),
    KnownGrowth(
      library: "python", modules: ["python3", "libpython3"], functions: ["_PyUnicode_FromId"],
      reason: "python keeps the names that its own C code asks for, each once",
      versions: "python 3.3 to 3.14", since: Version(3, 3), through: Version(3, 14)),
    KnownGrowth(
      library: "python", modules: ["python3", "libpython3"],
      functions: ["_PyThreadState_PushFrame", "_PyThreadState_PushLocals"],
      reason: "python keeps the memory of its frames as long as the deepest call needed it",
      versions: "python 3.11 to 3.14", since: Version(3, 11), through: Version(3, 14)),
    KnownGrowth(
      library: "glib", modules: ["libgobject-2.0.so", "libglib-2.0.so"],
      functions: [
        "g_type_register_static", "g_type_register_static_simple", "g_type_register_fundamental",
        "g_type_add_interface_static", "g_type_interface_add_prerequisite", "g_type_class_ref", "g_type_class_get",
        "g_signal_newv", "g_signal_new_valist", "g_param_spec_pool_insert", "g_object_class_install_property",
        "g_object_class_install_properties",
      ],
      reason:
        "GObject keeps its tables of types, with their properties and signals: one entry for each type that is used",
      versions: "glib 2.0 and later"),
  ]
}
