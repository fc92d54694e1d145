// SPDX-License-Identifier: MIT
//
// Explanation: one finding in full: the survival matrix, why the verdict is not its neighbour, and what would change it.
// Made for one finding when it is asked for; the verdict itself was given by the rules in Verdicts/.

import GenmarkModel

/// What is alive of each birth at the end of each cycle.
public struct SurvivalTable: Sendable, Equatable {
  /// Last program cycle, from 1, of each row and column. More cycles than wanted are put together: a row holds what was
  /// born since the row before, a column is at the end of its cycle.
  public var cycles: [Int]
  /// `alive[birth][cycle]`; a row begins at its own column, as nothing is alive before its birth.
  public var alive: [[Amount]]
  /// Everything of these call sites at the end of each column's cycle, also what was born outside all cycles.
  public var live: [Amount]
}

/// Why a verdict is what it is.
public struct FindingExplanation: Sendable {
  public var table: SurvivalTable
  /// Why the verdict is not one of its neighbours, in a sentence each.
  public var notNeighbours: [String]
  /// What more cycles would have to show for another verdict.
  public var wouldChange: String
}

extension Growth {
  /// Explains a finding of this recording's report with the same options.
  /// - Parameter columns: most cycles of the table, at least 1.
  /// - Throws: `noMarks`, `unknownLabel`.
  public static func explain(
    _ finding: Finding, of recording: Recording, options: GrowthOptions = GrowthOptions(), columns: Int = 24
  ) throws(AnalysisError) -> FindingExplanation {
    let cycles = try Cycles(recording, options: options)
    let survival = Survival(recording)
    let window = Window(cycles, survival: survival, options: options)
    let all = finding.callSites.flatMap(\.callSites)
    let growing = finding.callSites.filter { !$0.isContainer }.flatMap(\.callSites)
    let evidence = Evidence(
      GrowthSeries(of: growing.isEmpty ? all : growing, in: survival, cycles: cycles), window)
    let neighbours = Neighbours(evidence)
    return FindingExplanation(
      table: SurvivalTable(of: all, in: survival, cycles: cycles, columns: max(1, columns)),
      notNeighbours: neighbours.excluded(by: finding.verdict), wouldChange: neighbours.wouldChange(finding.verdict))
  }
}

extension SurvivalTable {
  /// - Complexity: O(steps of the call sites + births × columns)
  init(of callSites: some Sequence<CallTree.NodeID>, in survival: Survival, cycles: Cycles, columns: Int) {
    let count = cycles.count
    let width = min(columns, count)
    // Kept cycles by the column that they belong to; the last column is never a part of one.
    let columnOf = (0..<count).map { width - 1 - (count - 1 - $0) * width / max(1, count) }
    var number = 0
    self.cycles = Array(repeating: 0, count: width)
    var lastOf = [Int](repeating: 0, count: width)
    for cycle in 0..<count {
      number += cycles.weights[cycle]
      self.cycles[columnOf[cycle]] = number
      lastOf[columnOf[cycle]] = cycle
    }
    alive = (0..<width).map { Array(repeating: .zero, count: width - $0) }
    live = Array(repeating: .zero, count: width)
    for callSite in callSites {
      survival.forEachRow(of: callSite) { generation, steps, _ in
        let birth = cycles.cycleOfBirth[generation]
        var index = steps.startIndex
        var now = Amount.zero
        for column in 0..<width {
          let mark = cycles.marks[lastOf[column]]
          while index < steps.endIndex, steps[index].mark <= mark {
            now = steps[index].live
            index += 1
          }
          live[column] += now
          if birth >= 0, columnOf[birth] <= column { alive[columnOf[birth]][column - columnOf[birth]] += now }
        }
      }
    }
  }
}
