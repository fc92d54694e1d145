// SPDX-License-Identifier: MIT
//
// DebugUnit: one compilation unit of DWARF: its functions by address, the calls inlined into them, its lines. All of it
// is read when it is first asked for, and once. Which unit an address belongs to is decided in DebugInfo.
//
// The tree comes from a file that may be damaged or hostile: depth is bounded, and a sibling must lie behind its
// elder one (a DW_AT_sibling that points backwards would go round for ever).

internal import CElfutils

final class DebugUnit {
  /// Name of the .dwo that holds this unit's functions, when it could not be opened.
  private(set) var missingSplitName: String?

  /// A call that the compiler replaced by the body of the called function.
  private struct InlinedCall {
    var low: UInt64
    var high: UInt64
    var depth: Int
    var die: Dwarf_Die
  }

  /// Deeper nesting is not followed. Compilers stay far below.
  private static let depthLimit = 256

  /// Has the lines. For a split unit this is the skeleton.
  private var die: Dwarf_Die
  private let code: [Range<UInt64>]
  private lazy var body: Dwarf_Die = openBody()
  private lazy var names = DebugNames(language: Int(dwarf_srclang(&body)))
  private lazy var directory = text(UInt32(DW_AT_comp_dir))
  private lazy var functions = IntervalIndex(functionEntries(everywhere: false))
  private lazy var allFunctions = IntervalIndex(functionEntries(everywhere: true))
  /// By the text in libdw's file tables, which stays where it is.
  private var paths: [UnsafePointer<CChar>: String] = [:]
  private var inlinedCalls: [UnsafeMutableRawPointer: [InlinedCall]] = [:]

  init(die: Dwarf_Die, code: [Range<UInt64>]) {
    self.die = die
    self.code = code
  }

  typealias Function = IntervalIndex<Dwarf_Die>.Entry

  func function(at address: UInt64) -> Function? {
    // Functions inside of classes and of other functions are rare, and all types have to be read to see them.
    functions.narrowest(containing: address) ?? allFunctions.narrowest(containing: address)
  }

  /// The function and what is inlined in it at the address, innermost first.
  func frames(at address: UInt64, in function: Function, location: SourceLocation) -> [DebugFrame] {
    let calls = inlinedCalls(in: function.value)
      .filter { $0.low <= address && address < $0.high }
      .sorted { $0.depth > $1.depth }
    var frames: [DebugFrame] = []
    var location = location
    // Line 0: the compiler does not say what the code was made from. The file it then gives is often that of the code
    // before.
    if location.line == nil, location.file != SourceLocation.compilerGenerated,
      let file = declaredFile(of: calls.first?.die ?? function.value)
    {
      location.file = file
    }
    for call in calls {
      frames.append(frame(of: call.die, at: location, inlined: true, entry: call.low))
      location = callLocation(of: call.die)
    }
    frames.append(frame(of: function.value, at: location, inlined: false, entry: function.low))
    return frames
  }

  func location(of address: UInt64) -> SourceLocation {
    guard let line = dwarf_getsrc_die(&die, address) else { return SourceLocation() }
    var number: Int32 = 0
    var column: Int32 = 0
    dwarf_lineno(line, &number)
    dwarf_linecol(line, &column)
    return SourceLocation(
      file: dwarf_linesrc(line, nil, nil).map(path), line: number > 0 ? Int(number) : nil,
      column: number > 0 && column > 0 ? Int(column) : nil)
  }

  private func frame(of die: Dwarf_Die, at location: SourceLocation, inlined: Bool, entry: UInt64) -> DebugFrame {
    let name = names.name(of: die)
    return DebugFrame(
      linkageName: name.linkageName, name: name.name, file: location.file, line: location.line,
      column: location.column, inlined: inlined, entry: entry)
  }

  private func declaredFile(of die: Dwarf_Die) -> String? {
    var die = die
    return dwarf_decl_file(&die).map(path)
  }

  /// Where an inlined call was written.
  private func callLocation(of call: Dwarf_Die) -> SourceLocation {
    var files: OpaquePointer?
    var count = 0
    var location = SourceLocation()
    if let index = number(UInt32(DW_AT_call_file), of: call), index <= UInt64(Int.max),
      dwarf_getsrcfiles(&body, &files, &count) == 0, index < UInt64(count)
    {
      location = SourceLocation(file: dwarf_filesrc(files, Int(index), nil, nil).map(path))
    }
    // 0: in no line that anyone wrote.
    location.line = number(UInt32(DW_AT_call_line), of: call).flatMap { Int(exactly: $0) }.flatMap { $0 > 0 ? $0 : nil }
    let column = number(UInt32(DW_AT_call_column), of: call).flatMap { Int(exactly: $0) }
    location.column = location.line == nil ? nil : column.flatMap { $0 > 0 ? $0 : nil }
    return location
  }

  /// Relative paths are meant from where the compiler ran.
  private func path(_ text: UnsafePointer<CChar>) -> String {
    if let known = paths[text] { return known }
    var path = String(cString: text)
    if !path.hasPrefix("/"), !path.hasPrefix("<"), let directory { path = directory + "/" + path }
    path = SourceLocation.presented(path)
    paths[text] = path
    return path
  }

  private func number(_ name: UInt32, of die: Dwarf_Die) -> UInt64? {
    var die = die
    var attribute = Dwarf_Attribute()
    var value: Dwarf_Word = 0
    guard dwarf_attr(&die, name, &attribute) != nil, dwarf_formudata(&attribute, &value) == 0 else { return nil }
    return value
  }

  /// The unit's tree: for split DWARF that of the .dwo, when it can be found.
  private func openBody() -> Dwarf_Die {
    var kind: UInt8 = 0
    var split = Dwarf_Die()
    guard let unit = die.cu, dwarf_cu_info(unit, nil, &kind, nil, &split, nil, nil, nil) == 0 else { return die }
    if split.addr != nil { return split }
    if let name = text(UInt32(DW_AT_dwo_name)) ?? text(UInt32(DW_AT_GNU_dwo_name)) { missingSplitName = name }
    return die
  }

  private func text(_ name: UInt32) -> String? {
    var attribute = Dwarf_Attribute()
    guard dwarf_attr(&die, name, &attribute) != nil, let text = dwarf_formstring(&attribute) else { return nil }
    return String(cString: text)
  }

  // MARK: Walks

  private func functionEntries(everywhere: Bool) -> [Function] {
    var entries: [Function] = []
    walk(body, depth: 0) { child, _ in
      switch Int(dwarf_tag(&child)) {
      case DW_TAG_subprogram:
        for range in DebugInfo.ranges(of: child, in: code) {
          entries.append(Function(low: range.lowerBound, high: range.upperBound, value: child))
        }
        return everywhere
      case DW_TAG_namespace, DW_TAG_module: return true
      default: return everywhere
      }
    }
    return entries
  }

  private func inlinedCalls(in function: Dwarf_Die) -> [InlinedCall] {
    guard let key = function.addr else { return [] }
    if let known = inlinedCalls[key] { return known }
    var calls: [InlinedCall] = []
    walk(function, depth: 0) { child, depth in
      switch Int(dwarf_tag(&child)) {
      case DW_TAG_inlined_subroutine:
        for range in DebugInfo.ranges(of: child, in: code) {
          calls.append(InlinedCall(low: range.lowerBound, high: range.upperBound, depth: depth, die: child))
        }
        return true
      case DW_TAG_lexical_block, DW_TAG_try_block, DW_TAG_catch_block, DW_TAG_with_stmt: return true
      default: return false
      }
    }
    inlinedCalls[key] = calls
    return calls
  }

  /// Visits what is below `parent`; goes into a child where `visit` answers true.
  private func walk(_ parent: Dwarf_Die, depth: Int, _ visit: (inout Dwarf_Die, Int) -> Bool) {
    var parent = parent
    var child = Dwarf_Die()
    guard depth < DebugUnit.depthLimit, dwarf_child(&parent, &child) == 0 else { return }
    while true {
      if visit(&child, depth) { walk(child, depth: depth + 1, visit) }
      var sibling = Dwarf_Die()
      guard dwarf_siblingof(&child, &sibling) == 0, let from = child.addr, let to = sibling.addr, from < to else {
        return
      }
      child = sibling
    }
  }
}
