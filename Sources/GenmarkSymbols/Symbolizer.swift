// SPDX-License-Identifier: MIT
//
// Symbolizer: from a call site to its frames. It finds the module of each address, asks the module's symbols once,
// and keeps the answer. Where the answers come from is in ModuleSymbols, what they are called in Demangler, which of
// them are folded in FoldTable.

import GenmarkModel

/// Gives names to the call sites of one recording. For one thread.
///
/// Files are opened when the first address in them is asked for, and each is opened once.
public final class Symbolizer: FrameSource {
  /// What could not be done as asked, one sentence each, in the order in which it was met; untrusted text. Grows as
  /// call sites are looked up.
  public private(set) var warnings: [String] = []

  /// What makes a file: modules that were loaded twice share it.
  private struct FileKey: Hashable {
    var path: String
    var buildID: [UInt8]
    var fileSize: UInt64
    var modified: Nanoseconds
  }

  private struct Place: Hashable {
    var file: Int
    var address: UInt64
  }

  private struct Function: Hashable {
    var name: String
    var isMangled: Bool
    var module: String?
  }

  private let recording: Recording
  private let options: SymbolOptions
  private let lookup: DebugFileLookup
  private let foldTable: FoldTable
  private let cacheFolder: CacheFolder?
  /// nil: has been tried, and there are no symbols.
  private var files: [ModuleSymbols?] = []
  private var fileNumbers: [FileKey: Int] = [:]
  private var moduleFiles: [Int: Int] = [:]
  private var known: [Place: [Frame]] = [:]
  private var functions: [Function: (name: String?, folded: Bool)] = [:]
  private var warned: Set<String> = []

  public init(_ recording: Recording, options: SymbolOptions = SymbolOptions()) {
    self.recording = recording
    self.options = options
    lookup = DebugFileLookup(options: options)
    foldTable = options.folds ? FoldTable(user: options.foldPatterns) : FoldTable.none
    cacheFolder = options.cacheFolder.flatMap { CacheFolder(path: $0) }
  }

  deinit { for file in files { file?.save() } }

  public func frames(of callSite: CallTree.NodeID) -> [Frame] {
    recording.callTree.path(of: callSite).flatMap { frames(ofNode: $0) }
  }

  /// All that is known of a function's name, for where there is room: with types, modules and template arguments. Nil
  /// when the frame has no name.
  public func fullName(of frame: Frame) -> String? { Symbolizer.fullName(of: frame) }

  /// The same for frames that were named before.
  public static func fullName(of frame: Frame) -> String? {
    frame.linkageName.map { Demangler.fullName(for: $0) } ?? frame.function
  }

  /// The frames of one node, without its callers'.
  public func frames(ofNode node: CallTree.NodeID) -> [Frame] {
    let tree = recording.callTree
    guard Int(node) < tree.count else { return [] }
    if let special = tree.special(node) { return [Symbolizer.frame(for: special)] }
    let number = Int(tree.modules[Int(node)])
    guard number > 0, number <= recording.modules.count else { return [Frame()] }
    let module = recording.modules[number - 1]
    let offset = tree.addresses[Int(node)] &- 1 &- module.bias
    let place = Place(file: fileNumber(of: module, id: number), address: offset)
    if let frames = known[place] { return frames }
    let frames = name(offset, in: module, symbols: files[place.file])
    known[place] = frames
    return frames
  }

  private func name(_ offset: UInt64, in module: Module, symbols: ModuleSymbols?) -> [Frame] {
    let entries = symbols?.entries(at: offset) ?? []
    if let symbols { warnOfMissing(symbols, in: module) }
    if lookup.hasGivenUp {
      warn("the servers in DEBUGINFOD_URLS keep us waiting: they were not asked any more, and names may be missing.")
    }
    guard !entries.isEmpty else {
      var frame = Frame(module: module.path, offset: offset)
      frame.folded = foldTable.folds(frame, isRecorder: module.isRecorder)
      return [frame]
    }
    return entries.map { entry in
      var frame = Frame(
        linkageName: entry.linkageName ?? entry.name, module: module.path, offset: offset, file: entry.location.file,
        line: entry.location.line, column: entry.location.column, inlined: entry.inlined)
      present(&frame, isMangled: entry.linkageName != nil, isRecorder: module.isRecorder)
      return frame
    }
  }

  /// Sets what depends on the name alone. Functions are far fewer than addresses, and names are slow.
  private func present(_ frame: inout Frame, isMangled: Bool, isRecorder: Bool) {
    guard let linkageName = frame.linkageName else { return }
    let key = Function(name: linkageName, isMangled: isMangled, module: frame.module)
    if let (name, folded) = functions[key] {
      frame.function = name
      frame.folded = folded
      return
    }
    frame.function = isMangled ? Demangler.name(for: linkageName) : Demangler.cut(CxxName.short(linkageName))
    frame.folded = foldTable.folds(frame, isRecorder: isRecorder)
    functions[key] = (frame.function, frame.folded)
  }

  private static func frame(for special: CallTree.Special) -> Frame {
    switch special {
    case .cut: Frame(function: "[outer frames not recorded]", folded: true)
    case .broken: Frame(function: "[the stack ends early]", folded: true)
    case .merged: Frame(function: "[stacks of different callers]", folded: true)
    }
  }

  // MARK: Files

  private func fileNumber(of module: Module, id: Int) -> Int {
    if let number = moduleFiles[id] { return number }
    let number = fileNumber(of: module)
    moduleFiles[id] = number
    return number
  }

  private func fileNumber(of module: Module) -> Int {
    let key = FileKey(
      path: module.path, buildID: module.buildID, fileSize: module.fileSize, modified: module.modified)
    if let number = fileNumbers[key] { return number }
    files.append(open(module))
    fileNumbers[key] = files.count - 1
    return files.count - 1
  }

  private func open(_ module: Module) -> ModuleSymbols? {
    guard !module.isVDSO else { return nil }
    do {
      let file = try ModuleFile.open(module, options: options, lookup: lookup)
      let cache = cacheFolder.flatMap { SymbolCache(module, options: options, folder: $0) }
      return ModuleSymbols(file: file, path: module.path, cache: cache)
    } catch {
      warn(Symbolizer.sentence(for: error, module: module))
      return nil
    }
  }

  private func warnOfMissing(_ symbols: ModuleSymbols, in module: Module) {
    for name in symbols.missingSplitUnits {
      warn(
        "\(module.path): its debug information is split, and \(name) cannot be read (.dwp files need elfutils 0.191): functions inlined there are not shown."
      )
    }
  }

  private func warn(_ sentence: String) {
    if warned.insert(sentence).inserted { warnings.append(sentence) }
  }

  private static func sentence(for failure: ModuleFile.Failure, module: Module) -> String {
    let effect = "Its frames are shown as module and offset."
    let remedy = "name the place of the recorded file with --sysroot" + (module.isMain ? " or --binary." : ".")
    switch failure {
    case .missing(let path, let reason):
      return "\(path): \(reason). \(effect) To see names, \(remedy)"
    case .changed(let path, let recorded, let found):
      return "\(path): not the file that was recorded (\(recorded); now \(found)). \(effect) Record again, or \(remedy)"
    case .unknowable(let path):
      return "\(path): recorded without build-id, size and time, so that any file could be taken for it. \(effect)"
        + " Link it with -Wl,--build-id."
    case .unreadable(let path, let reason):
      return "\(path): \(reason). \(effect)"
    }
  }
}
