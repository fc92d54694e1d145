// SPDX-License-Identifier: MIT
//
// CommandError: what goes wrong in the command itself, in the words that people see. Errors of reading a trace are
// GenmarkTrace's, of judging it GenmarkAnalysis's; all end in one line on stderr and exit status 3.

/// Something that the caller of `genmark` can put right.
enum CommandError: Error, Equatable {
  // The call.
  case unknownVerb(String, nearest: String?)
  case unknownOption(String, verb: String, nearest: String?)
  case missingValue(option: String, placeholder: String)
  case unwantedValue(option: String)
  case badValue(option: String, value: String, expected: String)
  case missingOperand(verb: String, operand: String)
  case tooManyOperands(verb: String, first: String)
  case conflict(String, String)
  case missingOption(String, needs: String)

  // Files.
  case cannotRead(path: String, reason: String)
  case cannotWrite(path: String, reason: String)
  case outputExists(path: String)
  case noDirectory(path: String)
  case notWritable(directory: String, reason: String)

  // Running a program.
  case libraryNotFound(tried: [String])
  case badLibrary(path: String, reason: String)
  case programNotFound(String)
  case cannotExecute(String, reason: String)

  // Asking a trace.
  case noProcess(String)
  case unknownFingerprint(String, nearest: String?)

  var status: ExitStatus {
    switch self {
    case .programNotFound: .notFound
    case .cannotExecute: .cannotExecute
    default: .failure
    }
  }
}

extension CommandError: CustomStringConvertible {
  /// One line; untrusted parts are not yet escaped (`Console` does it for the whole line).
  var description: String {
    switch self {
    case .unknownVerb(let verb, let nearest):
      "no verb '\(verb)'. " + (nearest.map { "Did you mean '\($0)'?" } ?? "See `genmark help`.")
    case .unknownOption(let option, let verb, let nearest):
      "`\(verb)` has no option '\(option)'. "
        + (nearest.map { "Did you mean '\($0)'?" } ?? "See `genmark \(verb) --help`.")
    case .missingValue(let option, let placeholder): "\(option) needs a value: \(option) \(placeholder)."
    case .unwantedValue(let option): "\(option) takes no value."
    case .badValue(let option, let value, let expected): "\(option): '\(value)' is not \(expected)."
    case .missingOperand(let verb, let operand):
      "`\(verb)` needs \(operand). See `genmark \(verb) --help`."
    case .tooManyOperands(let verb, let first):
      "`\(verb)` does not know what to do with '\(first)'. See `genmark \(verb) --help`."
    case .conflict(let a, let b): "\(a) and \(b) exclude each other; leave one out."
    case .missingOption(let option, let needed): "\(option) goes with \(needed): add it, or leave \(option) out."
    case .cannotRead(let path, let reason): "can not read '\(path)': \(reason)."
    case .cannotWrite(let path, let reason): "can not write '\(path)': \(reason)."
    case .outputExists(let path):
      "'\(path)' exists already and stays as it is. Choose another name with -o, or replace it with --force."
    case .noDirectory(let path): "no directory '\(path)' to put the trace in. Create it, or choose another with -o."
    case .notWritable(let directory, let reason):
      "can not write into '\(directory)': \(reason). Choose another place for the trace with -o."
    case .libraryNotFound(let tried):
      "libgenmark.so is not there (looked at: \(tried.joined(separator: ", "))). "
        + "Build it with `make`, or say where it is with GENMARK_PRELOAD=/path/libgenmark.so."
    case .badLibrary(let path, let reason): "'\(path)' can not be preloaded: \(reason)."
    case .programNotFound(let name): "no program '\(name)'. Give its path, or check PATH."
    case .cannotExecute(let path, let reason): "can not execute '\(path)': \(reason)."
    case .noProcess(let pid):
      "no process \(pid) that is being recorded. Is it running, and was it started with libgenmark.so?"
    case .unknownFingerprint(let fingerprint, let nearest):
      "no finding '\(fingerprint)' in this trace. "
        + (nearest.map { "Did you mean '\($0)'?" } ?? "`genmark growth --all` lists them all.")
    }
  }
}
