// SPDX-License-Identifier: MIT
//
// RunVerb: `genmark run`: starts a program with the recorder in it and ends as the program does. What can be
// recorded is ProgramFile's to say, starting and waiting ChildProcess's; the recorder itself is libgenmark.so.

import GenmarkModel
import GenmarkReports
import GenmarkTrace

struct RunVerb: Verb {
  static let name = "run"
  static let summary = "record a program"
  static let usage = "[options] [--] PROGRAM [ARGUMENT…]"
  static let explanation = """
    Starts PROGRAM with the recorder in it, waits, and ends with its exit status (128 + N for signal N). The program
    keeps its terminal, its streams and its signals. A program that can not be recorded (statically linked, setuid)
    runs all the same, and one line on standard error says so.

    Settings of the recorder (GENMARK_…) hold here too.
    """
  static let example = """
    genmark run -o app.genmark --every 500ms -- ./app --serve
    genmark growth app.genmark
    """
  static let operands = Operands(needed: ["a program"], optional: 0, areVerbatim: true)
  static var options: [Option<RunVerb>] {
    [
      .text(
        "-o", "--output", value: "FILE", set: \.output, files: true,
        "Where to put the trace; %p pid, %e program, %h host, %t time. Default: PROGRAM.PID.genmark here."),
      .flag("--force", set: \.replaces, "Replace FILE when it exists; without, nothing is overwritten."),
      .flag("--follow", set: \.follows, "Record the programs that it starts too, each in a trace of its own."),
      .value(
        "--every", value: "TIME", set: \.interval, expected: "a time such as 500ms, 2s or 1m",
        "Take a mark with the label 'every' that often, from outside; with --follow in all.", parse: Values.duration),
      .value(
        "--mark-signal", value: "SIGNAL", set: \.markSignal, expected: "a signal that can mark, such as USR2",
        "Take a mark when the program gets this signal.", parse: SystemText.markSignal),
      .flag("-v", "--verbose", set: \.isVerbose, "Say where the trace is, also when standard error is no terminal."),
      .flag("-q", "--quiet", set: \.isQuiet, "Never say where the trace is, nor that there is none."),
    ]
  }

  var words: [String] = []
  var output: String?
  var replaces = false
  var follows = false
  var interval: Nanoseconds?
  var markSignal: String?
  var isVerbose = false
  var isQuiet = false

  func run(_ console: Console) throws -> ExitStatus {
    let environment = Environment.process
    let library = try PreloadLibrary(environment: environment)
    let program = try ProgramFile(words[0], library: library.image, environment: environment)
    let pattern = output ?? environment.nonEmpty("GENMARK_OUTPUT")
    let obstacle = try checkedObstacle(of: program, library: library)
    if let obstacle { console.note("'\(program.image)' is not recorded: \(obstacle).") }
    if obstacle == nil { try prepareOutput(TraceNames(pattern: pattern, environment: environment)) }

    var childEnvironment = ChildEnvironment.ofThisProcess
    if obstacle == nil { set(&childEnvironment, library: library, environment: environment) }
    let names = TraceNames(pattern: pattern, environment: environment)
    let child = try ChildProcess(
      path: program.interpreter.first ?? program.path, arguments: arguments(of: program),
      environment: childEnvironment)
    let marks = IntervalMarks(names, marksAll: recordsChildren(environment))
    let end = child.wait(every: obstacle == nil ? interval : nil) { marks.mark(pid: child.pid) }
    if obstacle == nil { finish(names, child: child, end: end, console) }
    return end.status
  }

  // MARK: - Before

  /// Nil when the program will be recorded.
  /// - Throws: `badLibrary` where the library is the one that does not fit.
  private func checkedObstacle(of program: ProgramFile, library: PreloadLibrary) throws(CommandError) -> String? {
    if case .machine(let machine, _) = program.obstacle, ELFImage(Paths.ownExecutable)?.machineName == machine {
      throw .badLibrary(path: library.path, reason: "it is for \(library.image.machineName) and not for \(machine)")
    }
    if program.obstacle == nil, !library.isLoadable {
      throw .badLibrary(
        path: library.path, reason: "LD_PRELOAD can not hold a path with a blank or a colon; install it elsewhere")
    }
    return program.obstacle?.reason
  }

  private func prepareOutput(_ names: TraceNames) throws(CommandError) {
    if let directory = names.directory {
      guard Paths.isDirectory(directory) else { throw .noDirectory(path: directory) }
      if let reason = Paths.whyNotWritable(directory) { throw .notWritable(directory: directory, reason: reason) }
    }
    guard let file = names.fixedName, Paths.exists(file) else { return }
    guard replaces else { throw .outputExists(path: file) }
    try Paths.removeFile(file)
  }

  private func set(_ child: inout ChildEnvironment, library: PreloadLibrary, environment: Environment) {
    child.set("LD_PRELOAD", library.preload(before: environment["LD_PRELOAD"]))
    child.set("GENMARK_RUN", "1")
    if let output { child.set("GENMARK_OUTPUT", output) }
    if follows { child.set("GENMARK_FOLLOW", "1") }
    if let markSignal { child.set("GENMARK_MARK_SIGNAL", markSignal) }
  }

  /// The program's words, byte for byte: they are the end of our own.
  private func arguments(of program: ProgramFile) -> [RawText] {
    let raw = CommandLine.rawArguments.suffix(words.count)
    // Words that did not come from the command line are a test's.
    let own = raw.count == words.count ? Array(raw) : words.map(RawText.init(text:))
    if program.interpreter.isEmpty { return own }
    return (program.interpreter + [program.path]).map(RawText.init(text:)) + own.dropFirst()
  }

  private func recordsChildren(_ environment: Environment) -> Bool {
    follows || ["1", "yes", "true", "on"].contains(environment["GENMARK_FOLLOW"]?.lowercased())
  }

  // MARK: - After

  private func finish(_ names: TraceNames, child: ChildProcess, end: ChildEnd, _ console: Console) {
    let traces = names.found(pid: child.pid, all: recordsChildren(.process))
    for trace in traces {
      do {
        try LiveTrace.finish(path: trace, pid: child.pid, end: end.processEnd)
      } catch .otherProcess {
        // Of a program that ours has started; no one knows how that ended but itself.
      } catch {
        console.note(String(describing: error))
      }
    }
    let lines = report(traces, names: names, pid: child.pid)
    // What comes on standard error is the program's own, unless someone looks at it or something went wrong.
    let isWanted = isVerbose || traces.isEmpty || Terminal.isTerminal(2)
    guard isWanted, !isQuiet, Environment.process.nonEmpty("GENMARK_QUIET") == nil else { return }
    for line in lines { console.note(line) }
  }

  /// What to say of the traces; gives the name that was asked for to the program where a wrapper had it.
  private func report(_ traces: [String], names: TraceNames, pid: Int32) -> [String] {
    guard traces.count > 1 else {
      return traces.first.map { ["recorded \($0)"] } ?? [
        "'\(words[0])' was not recorded: no trace of pid \(pid) appeared. "
          + "Lines above from ld.so or genmark say why; a program that clears its environment is not recorded."
      ]
    }
    var chain = ExecChain(traces)
    if let name = names.fixedName { chain.giveToProgram(name, pid: pid) }
    let most = 20
    let lines = chain.links.prefix(most).map { link in
      "recorded \(link.file) (\(FrameText.baseName(link.program)), \(UnitText.count(Int(link.marks), "mark"))"
        + (link.hasBecomeAnother ? ", then became another program)" : ")")
    }
    return lines + (chain.links.count > most ? ["and \(chain.links.count - most) more beside it"] : [])
  }
}

extension ChildEnd {
  var processEnd: ProcessEnd {
    switch self {
    case .exit(let status): .exit(status: status)
    case .signal(let signal): .signal(signal)
    }
  }
}
