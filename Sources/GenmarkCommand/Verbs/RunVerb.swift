// SPDX-License-Identifier: MIT
//
// RunVerb: `genmark run`: starts a program with the recorder in it and ends as the program does. What can be
// recorded is ProgramFile's to say, starting and waiting ChildProcess's; the recorder itself is libgenmark.so.

import GenmarkModel
import GenmarkReports
import GenmarkTrace

#if canImport(Glibc)
  import Glibc
#endif

struct RunVerb: Verb {
  static let name = "run"
  static let summary = "record a program"
  static let usage = "[options] [--] PROGRAM [ARGUMENT…]"
  static let explanation = """
    Starts PROGRAM with the recorder in it, waits, and ends with its exit status (128 + N for signal N). The program
    keeps its terminal, its streams and its signals. A program that can not be recorded (statically linked, setuid)
    runs all the same, and one line on standard error says so.

    Where PROGRAM is a script, a shell, env, time, nice or the like, the program that it becomes or starts is recorded:
    of several the one that took most marks, else the one with most to record; a line on standard error says which.

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
    child.set("GENMARK_RUN", String(getpid()))
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
    let files = names.found(run: UInt32(bitPattern: getpid()))
    var traces = RunTraces(files, pid: child.pid, keepsAll: recordsChildren(.process))
    for trace in traces.all {
      let isFirst = trace.pid == UInt32(bitPattern: child.pid)
      // Of a program that ours has started, no one knows how it ended but itself.
      guard isFirst || !trace.isRunning else { continue }
      do {
        try LiveTrace.finish(
          path: trace.file, pid: Int32(bitPattern: trace.pid), end: isFirst ? end.processEnd : .unknown)
      } catch {
        console.note(String(describing: error))
      }
    }
    let choice = traces.choice(startedBy: words[0])
    let chosen = traces.settle(name: names.fixedName)
    guard !isQuiet, Environment.process.nonEmpty("GENMARK_QUIET") == nil else { return }
    if let choice { console.note(Escaping.cut(choice)) }
    // What comes on standard error is the program's own, unless someone looks at it or something went wrong.
    guard isVerbose || chosen == nil || Terminal.isTerminal(2) else { return }
    for line in report(names.found(run: UInt32(bitPattern: getpid())), chosen: chosen, pid: child.pid) {
      console.note(line)
    }
  }

  /// What to say of the traces.
  private func report(_ files: [String], chosen: String?, pid: Int32) -> [String] {
    guard let chosen else {
      return [
        "'\(words[0])' was not recorded: no trace of pid \(pid) appeared. "
          + "Lines above from ld.so or genmark say why; a program that clears its environment is not recorded."
      ]
    }
    let traces = files.compactMap { try? TraceOrigin($0) }
    if traces.count < 2 { return ["recorded \(chosen)"] }
    let most = 20
    let lines = traces.prefix(most).map { trace in
      "recorded \(trace.file) (\(FrameText.baseName(trace.program)), \(UnitText.count(Int(trace.marks), "mark"))"
        + (trace.hasBecomeAnother ? ", then became another program)" : ")")
    }
    return lines + (traces.count > most ? ["and \(traces.count - most) more beside it"] : [])
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
