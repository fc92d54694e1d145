// SPDX-License-Identifier: MIT
//
// Generation: the time between two marks with what was born in it, the rows of the generations table. Totals only;
// which call sites they come from is in Survival.

/// The time between two kept marks and the blocks born in it.
///
/// Generations are told apart in two ways. The *number* counts all marks ever taken and is what people see. The *index*
/// counts kept marks and is what arrays go by: generation `i` begins at `Recording.marks[i − 1]` and ends at
/// `Recording.marks[i]`. They are equal until a long history is thinned.
public struct Generation: Sendable, Hashable {
  /// Its place in `Recording.generations()`: how many kept marks had been taken when it began.
  public var index: Int
  /// The number of the generation, of the first one where history was thinned.
  public var number: GenerationNumber
  /// The number of the last generation that it stands for; above `number` only where history was thinned.
  public var lastNumber: GenerationNumber
  /// Index in `Recording.marks` of the mark that began it; nil for generation 0, which began with the program.
  public var openingMark: Int?
  /// Index in `Recording.marks` of the mark that ended it; nil for the newest.
  public var closingMark: Int?
  /// Since the start of the program.
  public var startedAt: Nanoseconds
  /// To its closing mark, or to the end of the recording.
  public var duration: Nanoseconds
  /// Everything allocated in it, and what realloc added in it. Nothing where its blocks count to the generation before
  /// (see `Recording.newestBirth`).
  public var born: Amount
  /// Born in it and alive at the end of the recording: the *growth* of the table.
  public var persistent: Amount
  /// Born in it and freed by the end of the recording: `born − persistent`. Not below 0: where a later realloc made
  /// its blocks longer, more bytes of it may be alive than were born in it.
  public var transient: Amount
  /// Everything alive when it ended, whenever born.
  public var live: Amount
  /// Of the process when it ended; nil when not known, as always for the newest.
  public var residentBytes: Bytes?
  /// Held by the allocator from the system when it ended; nil when not known.
  public var heldBytes: Bytes?
  /// Of the process when it ended; nil when not known.
  public var threads: Int?
}

extension Recording {
  /// How many generations there are: one more than kept marks.
  public var generationCount: Int { marks.count + 1 }

  /// The index of the generation that blocks of a birth are counted in: how many kept marks are not above it.
  /// - Complexity: O(log marks)
  public func generationIndex(ofBirth birth: GenerationNumber) -> Int {
    var low = 0
    var high = marks.count
    while low < high {
      let middle = (low + high) / 2
      if marks[middle].generation <= birth { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The number that a generation shows: of its opening mark, or 0.
  public func generationNumber(at index: Int) -> GenerationNumber {
    index == 0 ? 0 : marks[index - 1].generation
  }

  /// Everything born since the start, and everything alive at the end of the recording.
  /// - Complexity: O(cells)
  public func totals() -> (born: Amount, live: Amount) {
    var born = Amount.zero
    var live = Amount.zero
    for cell in cells {
      born += cell.born
      live += cell.live
    }
    return (born, live)
  }

  /// All generations, oldest first; never empty, since the program's start begins one.
  /// - Complexity: O(cells · log marks)
  public func generations() -> [Generation] {
    var persistent = [Amount](repeating: .zero, count: generationCount)
    for cell in cells where cell.live != .zero {
      persistent[generationIndex(ofBirth: cell.birth)] += cell.live
    }
    let totals = totals()
    var generations = persistent.indices.map { index in
      generation(at: index, persistent: persistent[index], totals: totals)
    }
    // A block that another thread is being given while a mark is taken may have its birth before the mark, and be counted
    // after it: it belongs where its birth says.
    for index in generations.indices.dropLast() {
      let counted = min(
        max(.zero, persistent[index].blocks - generations[index].born.blocks), generations[index + 1].born.blocks)
      generations[index].born.blocks += counted
      generations[index + 1].born.blocks = generations[index + 1].born.blocks - counted
      generations[index].transient = (generations[index].born - persistent[index]).clamped
      generations[index + 1].transient = (generations[index + 1].born - persistent[index + 1]).clamped
    }
    // Generations whose blocks have no birth of their own: what was born in them is in the one that they share it with.
    let shared = generationIndex(ofBirth: newestBirth)
    for index in generations.indices where index > shared {
      generations[shared].born += generations[index].born
      generations[shared].lastNumber = generations[index].lastNumber
      generations[index].born = .zero
      generations[index].transient = .zero
    }
    generations[shared].transient = (generations[shared].born - persistent[shared]).clamped
    return generations
  }

  private func generation(at index: Int, persistent: Amount, totals: (born: Amount, live: Amount)) -> Generation {
    let opening = index == 0 ? nil : marks[index - 1]
    let closing = index < marks.count ? marks[index] : nil
    let number = opening?.generation ?? 0
    let startedAt = opening?.time ?? Nanoseconds(0)
    let endedAt = closing?.time ?? process.duration
    let born = ((closing?.born ?? totals.born) - (opening?.born ?? .zero)).clamped
    return Generation(
      index: index,
      number: number,
      lastNumber: closing.map { max(number, $0.generation &- 1) } ?? number,
      openingMark: index == 0 ? nil : index - 1,
      closingMark: closing == nil ? nil : index,
      startedAt: startedAt,
      duration: Nanoseconds(endedAt.count > startedAt.count ? endedAt.count - startedAt.count : 0),
      born: born,
      persistent: persistent,
      transient: (born - persistent).clamped,
      live: closing?.live ?? totals.live,
      residentBytes: closing?.residentBytes,
      heldBytes: closing?.heldBytes,
      threads: closing?.threads)
  }
}

extension Amount {
  /// With 0 in place of what is below 0.
  public var clamped: Amount { Amount(blocks: max(.zero, blocks), bytes: max(.zero, bytes)) }
}
