// SPDX-License-Identifier: MIT
//
// Terminal: what standard output and standard error are connected to. Only asked, never changed.

import GenmarkModel
import GenmarkReports

#if canImport(Glibc)
  import Glibc
#endif

/// Facts about a file descriptor and the environment that decide width and colour.
enum Terminal {
  static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// Width and colour for text on standard output. A pipe or a file gets full lines and no colour.
  static func style(of descriptor: Int32 = STDOUT_FILENO, environment: Environment = .process) -> Style {
    guard isTerminal(descriptor) else { return .plain }
    let isPlain = environment["NO_COLOR"].map { !$0.isEmpty } ?? false || environment["TERM"] == "dumb"
    return Style(width: width(of: descriptor, environment: environment), hasColour: !isPlain)
  }

  private static func width(of descriptor: Int32, environment: Environment) -> Int {
    if let columns = environment["COLUMNS"].flatMap({ Int($0) }), (20...10_000).contains(columns) { return columns }
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col >= 20 else { return 80 }
    return Int(size.ws_col)
  }
}

/// Environment variables, as a value so that tests can make their own.
struct Environment: Sendable {
  private(set) var variables: [String: String]

  init(_ variables: [String: String]) { self.variables = variables }

  subscript(_ name: String) -> String? {
    get { variables[name] }
    set { variables[name] = newValue }
  }

  /// Nil when unset or empty.
  func nonEmpty(_ name: String) -> String? { variables[name].flatMap { $0.isEmpty ? nil : $0 } }

  /// Of this process. A variable that stands twice counts as its first, as getenv(3) has it.
  static var process: Environment {
    var variables: [String: String] = [:]
    var next = environ
    while let entry = next.pointee {
      let text = String(pathBytes: RawText(copying: entry).map { UInt8(bitPattern: $0) })
      if let equals = text.firstIndex(of: "=") {
        let name = String(text[..<equals])
        if variables[name] == nil { variables[name] = String(text[text.index(after: equals)...]) }
      }
      next += 1
    }
    return Environment(variables)
  }
}
