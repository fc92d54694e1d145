// SPDX-License-Identifier: MIT
//
// Frame: what one line of a call stack is called. Made by GenmarkSymbols from a node of the call tree; one
// node gives several frames where functions were inlined.

/// One line of a call stack. What is not known is nil.
public struct Frame: Hashable, Sendable {
  /// Demangled, in the form people read; untrusted text. Nil when no symbol covers the address.
  public var function: String?
  /// The name as it stands in the symbol table; nil where `function` is.
  public var linkageName: String?
  /// Path of the module; nil when the address lies in none.
  public var module: String?
  /// Look-up address (return address − 1) relative to the module's load bias.
  public var offset: UInt64?
  public var file: String?
  public var line: Int?
  public var column: Int?
  /// True when the compiler put this function's body into that of the next frame.
  public var inlined: Bool
  /// True when the frame belongs to the allocator or a language runtime and is charged to its caller.
  public var folded: Bool

  public init(
    function: String? = nil, linkageName: String? = nil, module: String? = nil, offset: UInt64? = nil,
    file: String? = nil, line: Int? = nil, column: Int? = nil, inlined: Bool = false, folded: Bool = false
  ) {
    self.function = function
    self.linkageName = linkageName
    self.module = module
    self.offset = offset
    self.file = file
    self.line = line
    self.column = column
    self.inlined = inlined
    self.folded = folded
  }
}

/// Gives names to call sites. GenmarkSymbols has the real one; tests make their own.
public protocol FrameSource: AnyObject {
  /// The frames of a call site, innermost first and complete; `folded` is set where a frame is not the
  /// user's. Never empty for a site with at least one address.
  func frames(of callSite: CallTree.NodeID) -> [Frame]
  /// The frames of one node, without its callers': those of a call site are its nodes', joined. Several where functions
  /// were inlined.
  func frames(ofNode node: CallTree.NodeID) -> [Frame]
}
