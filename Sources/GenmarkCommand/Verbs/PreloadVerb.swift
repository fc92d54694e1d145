// SPDX-License-Identifier: MIT
//
// PreloadVerb: `genmark preload`: where the library is, for LD_PRELOAD=$(genmark preload).

struct PreloadVerb: Verb {
  static let name = "preload"
  static let summary = "print the path of libgenmark.so, for LD_PRELOAD"
  static let usage = ""
  static let explanation = """
    Prints the absolute path of the library that records: beside this command in a build, in lib/ of an
    installation, or what GENMARK_PRELOAD says.
    """
  static let example = "LD_PRELOAD=$(genmark preload) ./app"
  static let operands = Operands(needed: [], optional: 0)
  static var options: [Option<PreloadVerb>] { [] }

  var words: [String] = []

  func run(_ console: Console) throws -> ExitStatus {
    let library = try PreloadLibrary(environment: .process)
    if !library.isLoadable {
      console.note("'\(library.path)': LD_PRELOAD can not hold a path with a blank or a colon; install it elsewhere.")
    }
    // Raw: a shell takes it as it is.
    try console.write(line: library.path)
    return .success
  }
}
