// SPDX-License-Identifier: MIT
//
// DebugNames: what DWARF calls a function. Linkage names are demangled elsewhere (Demangler); compilers give none to
// functions of C, and gcc none to static functions of C++, for which the name is put together from the scopes
// around it.

internal import CElfutils

/// Names of the functions of one compilation unit.
final class DebugNames {
  struct Name {
    var linkageName: String?
    /// With its scopes, without parameters.
    var name: String?
  }

  private let isScoped: Bool
  private var known: [UnsafeMutableRawPointer: Name] = [:]
  private static let depthLimit = 64

  /// - Parameter language: DW_LANG_…
  init(language: Int) {
    let plain = [DW_LANG_C, DW_LANG_C89, DW_LANG_C99, DW_LANG_C11, DW_LANG_Mips_Assembler]
    isScoped = !plain.contains(language)
  }

  /// The name of a function, of one of its copies, or of an inlined call of it.
  func name(of die: Dwarf_Die) -> Name {
    let origin = declaration(of: die)
    guard let key = origin.addr else { return Name() }
    // A copy may have a linkage name of its own (a constructor's complete and base form).
    if let own = linkageName(of: die, integrate: false) { return Name(linkageName: own, name: nil) }
    if let name = known[key] { return name }
    var found = Name(linkageName: linkageName(of: die, integrate: true))
    if found.linkageName == nil { found.name = scopedName(of: origin) }
    known[key] = found
    return found
  }

  private func linkageName(of die: Dwarf_Die, integrate: Bool) -> String? {
    var die = die
    var attribute = Dwarf_Attribute()
    for name in [UInt32(DW_AT_linkage_name), UInt32(DW_AT_MIPS_linkage_name)] {
      let found = integrate ? dwarf_attr_integrate(&die, name, &attribute) : dwarf_attr(&die, name, &attribute)
      if found != nil, let text = dwarf_formstring(&attribute) { return String(cString: text) }
    }
    return nil
  }

  /// Where the function stands among its scopes: from a copy to the abstract function, from that to its declaration in
  /// the class.
  private func declaration(of die: Dwarf_Die) -> Dwarf_Die {
    var die = die
    for _ in 0..<16 {
      var attribute = Dwarf_Attribute()
      var target = Dwarf_Die()
      guard
        dwarf_attr(&die, UInt32(DW_AT_abstract_origin), &attribute) != nil
          || dwarf_attr(&die, UInt32(DW_AT_specification), &attribute) != nil,
        dwarf_formref_die(&attribute, &target) != nil
      else { break }
      die = target
    }
    return die
  }

  private func scopedName(of die: Dwarf_Die) -> String? {
    var die = die
    guard let text = dwarf_diename(&die) else { return nil }
    let name = String(cString: text)
    guard isScoped else { return name }
    // A lambda is a class without a name.
    let unnamed = name == "operator()" ? "{lambda}" : "(anonymous)"
    return (scopes(of: die).map { $0.name ?? unnamed } + [name]).joined(separator: "::")
  }

  private struct Scope {
    /// Nil for a class without one.
    var name: String?
  }

  /// What encloses an entry, outermost first. DWARF has no way up, so this goes down from the unit: the
  /// child that holds an entry is the last one that begins at or before it.
  private func scopes(of die: Dwarf_Die) -> [Scope] {
    var scopes: [Scope] = []
    var parent = Dwarf_Die()
    guard let target = die.addr, let unit = die.cu, dwarf_cu_die(unit, &parent, nil, nil, nil, nil, nil, nil) != nil
    else { return [] }
    for _ in 0..<DebugNames.depthLimit {
      var child = Dwarf_Die()
      guard dwarf_child(&parent, &child) == 0 else { return scopes }
      var sibling = Dwarf_Die()
      while dwarf_siblingof(&child, &sibling) == 0, let from = child.addr, let to = sibling.addr, from < to,
        to <= target
      {
        child = sibling
      }
      guard let place = child.addr, place < target else { return scopes }
      if let scope = scope(of: child) { scopes.append(scope) }
      parent = child
    }
    return scopes
  }

  private func scope(of die: Dwarf_Die) -> Scope? {
    var die = die
    let name = dwarf_diename(&die).map { String(cString: $0) }
    switch Int(dwarf_tag(&die)) {
    case DW_TAG_namespace: return Scope(name: name ?? "(anonymous namespace)")
    case DW_TAG_class_type, DW_TAG_structure_type, DW_TAG_union_type, DW_TAG_subprogram: return Scope(name: name)
    default: return nil
    }
  }
}
