// SPDX-License-Identifier: MIT
//
// Imports run one way: every target imports the model, and what it is allowed to besides.

import Testing

@Suite("Imports run one way")
struct ImportTests {
  /// What the files of a target may import of this package.
  static let allowed: [String: Set<String>] = [
    "GenmarkModel": [],
    "GenmarkTrace": ["GenmarkModel", "CTraceFormat", "CMark"],
    "GenmarkSymbols": ["GenmarkModel", "CElfutils", "CDemangle", "CZlib", "CZstd"],
    "GenmarkPack": ["GenmarkModel", "GenmarkTrace", "GenmarkSymbols", "CZstd"],
    "GenmarkAnalysis": ["GenmarkModel"],
    "GenmarkReports": ["GenmarkModel", "GenmarkAnalysis"],
    "GenmarkCommand": [
      "GenmarkModel", "GenmarkTrace", "GenmarkSymbols", "GenmarkPack", "GenmarkAnalysis", "GenmarkReports",
    ],
    "Genmark": ["CGenmark"],
  ]

  /// Modules of the toolchain that any target may import.
  static let system: Set<String> = [
    "Glibc", "Musl", "Foundation", "FoundationEssentials", "Synchronization", "Dispatch",
  ]

  /// The folders whose headers a C folder may include besides its own.
  static let allowedIncludes: [String: Set<String>] = [
    "TraceFormat": [],
    "Mark": ["TraceFormat"],
    "Recorder": ["Mark", "TraceFormat"],
    "API": [],
    "Interpose": ["API", "Recorder", "Mark", "TraceFormat"],
    "elfutils": [],
    "cxxabi": [],
    "zlib": [],
    "zstd": [],
  ]

  @Test("of each Swift target", arguments: allowed.keys.sorted())
  func swiftImports(target: String) throws {
    let files = Repository.files(under: "Sources/\(target)", extensions: ["swift"])
    #expect(!files.isEmpty, "no files in Sources/\(target)")
    let allowed = try #require(Self.allowed[target])
    for file in files {
      for module in Self.imports(of: file) where !Self.system.contains(module) {
        #expect(allowed.contains(module), "\(file.path) imports \(module)")
      }
    }
  }

  @Test("and every target is in the table")
  func everyTargetIsListed() {
    let folders = Set(Repository.files(under: "Sources").compactMap { $0.path.split(separator: "/").dropFirst().first })
    #expect(Set(folders.map(String.init)) == Set(Self.allowed.keys))
  }

  @Test("of each C folder")
  func includes() throws {
    let files = Repository.files(under: "CShims", extensions: ["c", "h"])
    var folderOfHeader: [Substring: Substring] = [:]
    for file in files where file.name.hasSuffix(".h") {
      folderOfHeader[Substring(file.name)] = file.path.split(separator: "/")[1]
    }
    for file in files where !file.path.contains("/tests/") {
      let folder = String(file.path.split(separator: "/")[1])
      let allowed = try #require(Self.allowedIncludes[folder], "\(folder) is not in the table")
      for line in file.lines where line.hasPrefix("#include \"") {
        let header = line.split(separator: "\"")[1].split(separator: "/").last ?? ""
        let owner = folderOfHeader[header].map(String.init)
        #expect(owner == nil || owner == folder || allowed.contains(owner ?? ""), "\(file.path) includes \(header)")
      }
    }
  }

  /// The modules that a file imports, whatever stands before `import`.
  static func imports(of file: Repository.File) -> [String] {
    file.lines.compactMap { line in
      var words = line.split(separator: " ").map(String.init)
      let prefixes: Set = ["public", "package", "internal", "fileprivate", "private", "@testable", "@preconcurrency"]
      while let first = words.first, prefixes.contains(first) || first.hasPrefix("@") { words.removeFirst() }
      guard words.first == "import", words.count > 1 else { return nil }
      let kinds: Set = ["struct", "class", "enum", "func", "protocol", "typealias", "var", "let"]
      let module = kinds.contains(words[1]) && words.count > 2 ? words[2] : words[1]
      return module.split(separator: ".").first.map(String.init)
    }
  }
}
