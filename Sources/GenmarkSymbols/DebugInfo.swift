// SPDX-License-Identifier: MIT
//
// DebugInfo: the DWARF of one file: which function, inlined functions and source lines belong to an address. The
// tree of one compilation unit is in DebugUnit, the names of its functions in DebugNames, what stands in symbol
// tables in SymbolTable.
//
// Compilation units are found by their own ranges and not by .debug_aranges, which clang and swiftc leave out. Nothing
// is read of a unit before an address in it is asked for.

internal import CElfutils

/// A function that an address belongs to, as the debug information has it.
struct DebugFrame {
  var linkageName: String?
  /// As in the source, with its scopes; without parameters.
  var name: String?
  var file: String?
  var line: Int?
  var column: Int?
  var inlined: Bool
  /// First address of the range that the function's code lies in.
  var entry: UInt64
}

/// What debug information says of an address.
struct DebugAnswer {
  /// Innermost first; the last one is not inlined. Empty when only the line is known.
  var frames: [DebugFrame]
  /// Of the innermost frame.
  var location: SourceLocation
}

/// One file's DWARF. The addresses are the file's own.
final class DebugInfo {
  /// Split units whose .dwo was not found: their functions and inlined calls are not known.
  private(set) var missingSplitUnits: [String] = []

  private let dwarf: OpaquePointer
  private let code: [Range<UInt64>]
  private let units: IntervalIndex<DebugUnit>
  /// Units that do not say which addresses they have. Asked when no other unit has the address.
  private let unrangedUnits: [DebugUnit]

  /// - Parameters:
  ///   - dwarf: borrowed; must outlive this.
  ///   - code: executable ranges of the file. Functions that the linker dropped keep their debug information, at 0 or
  ///     at other addresses outside.
  init(dwarf: OpaquePointer, code: [Range<UInt64>]) {
    self.dwarf = dwarf
    self.code = code
    var entries: [IntervalIndex<DebugUnit>.Entry] = []
    var unranged: [DebugUnit] = []
    var next: OpaquePointer?
    while true {
      let unit = next
      var version: Dwarf_Half = 0
      var kind: UInt8 = 0
      var die = Dwarf_Die()
      guard dwarf_get_units(dwarf, unit, &next, &version, &kind, &die, nil) == 0 else { break }
      guard [DW_UT_compile, DW_UT_skeleton].contains(Int(kind)), Int(dwarf_tag(&die)) != DW_TAG_partial_unit else {
        continue
      }
      let found = DebugUnit(die: die, code: code)
      let ranges = DebugInfo.ranges(of: die, in: code)
      for range in ranges { entries.append(.init(low: range.lowerBound, high: range.upperBound, value: found)) }
      if ranges.isEmpty, !DebugInfo.hasRanges(die), !DebugInfo.isElsewhere(die) { unranged.append(found) }
    }
    units = IntervalIndex(entries)
    unrangedUnits = unranged
  }

  /// Nil when nothing is known of the address.
  func answer(for address: UInt64) -> DebugAnswer? {
    var lineOnly: DebugAnswer?
    let named = units.entries(containing: address).map(\.value)
    for unit in named.isEmpty ? unrangedUnits : named {
      let function = unit.function(at: address)
      note(unit)
      guard function != nil || lineOnly == nil else { continue }
      let location = unit.location(of: address)
      if let function {
        return DebugAnswer(frames: unit.frames(at: address, in: function, location: location), location: location)
      }
      if location.file != nil { lineOnly = DebugAnswer(frames: [], location: location) }
    }
    return lineOnly
  }

  private func note(_ unit: DebugUnit) {
    guard let missing = unit.missingSplitName, !missingSplitUnits.contains(missing) else { return }
    missingSplitUnits.append(missing)
  }

  /// The address ranges of a unit, function or block, without those that hold no code.
  static func ranges(of die: Dwarf_Die, in code: [Range<UInt64>]) -> [Range<UInt64>] {
    var die = die
    var ranges: [Range<UInt64>] = []
    var base: Dwarf_Addr = 0
    var low: Dwarf_Addr = 0
    var high: Dwarf_Addr = 0
    var offset = 0
    while true {
      offset = Int(dwarf_ranges(&die, offset, &base, &low, &high))
      guard offset > 0 else { return ranges }
      if low < high, low > 1, code.contains(where: { $0.contains(low) }) { ranges.append(low..<high) }
    }
  }

  /// A unit without code that names a file of types: clang's modules and precompiled headers. Split units have ranges.
  private static func isElsewhere(_ die: Dwarf_Die) -> Bool {
    var die = die
    return dwarf_hasattr(&die, UInt32(DW_AT_dwo_name)) != 0 || dwarf_hasattr(&die, UInt32(DW_AT_GNU_dwo_name)) != 0
  }

  private static func hasRanges(_ die: Dwarf_Die) -> Bool {
    var die = die
    return dwarf_hasattr(&die, UInt32(DW_AT_ranges)) != 0 || dwarf_hasattr(&die, UInt32(DW_AT_high_pc)) != 0
  }
}
