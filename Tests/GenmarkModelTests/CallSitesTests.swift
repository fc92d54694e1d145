// SPDX-License-Identifier: MIT

import GenmarkModel
import GenmarkTestSupport
import Testing

@Suite struct CallSitesTests {
  @Test func cellsAreGroupedAndSummed() {
    let process = RecordedProcess(program: "x")
    let recording = Recording(
      file: "x", process: process,
      cells: [
        Cell(callSite: 7, birth: 2, born: Amount(blocks: 2, bytes: 20), grown: 1),
        Cell(callSite: 3, birth: 0, born: Amount(blocks: 9, bytes: 9), freed: Amount(blocks: 9, bytes: 9)),
        Cell(callSite: 7, birth: 1, born: Amount(blocks: 5, bytes: 50), freed: Amount(blocks: 1, bytes: 10), grown: 2),
      ])
    let sites = CallSites(recording)
    #expect(sites.ids == [3, 7])
    #expect(sites[7].map(\.birth) == [1, 2])
    #expect(sites[5].isEmpty && sites[8].isEmpty)
    let total = sites.total(of: 7)
    #expect(total.born == Amount(blocks: 7, bytes: 70))
    #expect(total.live == Amount(blocks: 6, bytes: 60))
    #expect(total.grown == 3)
    #expect(CallSites(Recording(file: "x", process: process)).ids == [])
  }
}
