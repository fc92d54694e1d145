// SPDX-License-Identifier: MIT

import GenmarkModel
import Testing

@testable import GenmarkSymbols

@Suite struct FoldTableTests {
  private func folds(_ linkageName: String, module: String = "/app", user: [String] = []) -> Bool {
    let frame = Frame(function: Demangler.name(for: linkageName), linkageName: linkageName, module: module)
    return FoldTable(user: user).folds(frame, isRecorder: false)
  }

  @Test(arguments: [
    "malloc", "__libc_calloc", "_Znwm", "_ZnamRKSt9nothrow_t", "_ZnwmSt11align_val_t", "strdup", "vasprintf",
    "getdelim", "xmalloc",
    "_ZNSt6vectorIiSaIiEE17_M_realloc_insertIJiEEEvN9__gnu_cxx17__normal_iteratorIPiS1_EEDpOT_",
    "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_createERmm",
    "_ZN9__gnu_cxx13new_allocatorIcE8allocateEmPKv",
    "__cxa_allocate_exception", "swift_allocObject", "swift_slowAlloc", "$sSa6appendyyxnFSi_Tg5",
    "$ss12_ArrayBufferV19_getElementSlowPathyyXlSiF", "$s6family6ParentC4nameACSS_tcfC", "$s6family6ParentCMa",
    "$sSS6appendyySSF", "_ZN5alloc7raw_vec11finish_grow17h0123456789abcdefE", "__rust_alloc", "g_malloc0",
    "g_strdup_printf",
    "g_slice_alloc0", "Perl_safesysmalloc", "PyMem_RawMalloc", "_PyObject_Malloc", "sqlite3MemMalloc",
  ])
  func allocatorsAreFolded(_ name: String) { #expect(folds(name)) }

  @Test(arguments: [
    "main", "malloc_my_things", "_ZN3Job4makeEi", "stdup", "std", "_ZN8standard3newEv",
    "$s6family6ParentC8addChild3ageySi_tF",
    "$s6family6ParentC4nameACSS_tcfc", "$sSa1aSiRszlE5twiceSaySiGyF", "$sSS1aE5shoutSSyF", "my_swift_thing",
    "Perl_sv_setsv_flags",
    "sqlite3_prepare_v2", "_ZN4core17handle_connectionEv", "_ZN5alloc4Pool4growEv", "new_arena", "gc_alloc",
    "g_action_new", "_RNvMCs6GmmlP4bgsG_1rNtB2_5Store3put", "evil</script>",
    "$s16swift_hot_signal11ClockScreenC6appearyyFSSSicfU_",
  ])
  func theUsersCodeIsNot(_ name: String) { #expect(!folds(name)) }

  @Test func modulesOfTheRuntimeAreFoldedWhole() {
    #expect(folds("whatever", module: "/opt/swift/usr/lib/swift/linux/libswiftCore.so"))
    #expect(FoldTable().folds(Frame(module: "/usr/lib/libswiftCore.so", offset: 1), isRecorder: false))
    #expect(FoldTable().folds(Frame(module: "/x/libgenmark.so", offset: 1), isRecorder: true))
  }

  @Test func theUserAddsPatterns() {
    #expect(folds("pool_take", user: ["pool_*"]))
    #expect(folds("_ZN4Pool4takeEi", user: ["Pool::take"]))
    #expect(folds("anything", module: "/usr/lib/libpool.so.3", user: ["libpool.so*!"]))
    #expect(folds("take", module: "/usr/lib/libpool.so.3", user: ["libpool.so*!t*e"]))
    #expect(!folds("take", module: "/usr/lib/libother.so.3", user: ["libpool.so*!t*e"]))
    #expect(!folds("retake", user: ["take", "!", ""]))
  }

  @Test func noneFoldsNothing() {
    #expect(!FoldTable.none.folds(Frame(function: "malloc"), isRecorder: true))
  }

  @Test func starsStandForAnything() {
    #expect(FoldPattern.glob("*", matches: ""))
    #expect(FoldPattern.glob("a*b*c", matches: "axxbyybzc"))
    #expect(!FoldPattern.glob("a*b*c", matches: "axxbyyb"))
    #expect(!FoldPattern.glob("", matches: "a"))
    #expect(!FoldPattern.glob(String(repeating: "*a", count: 40), matches: String(repeating: "a", count: 39)))
  }
}
