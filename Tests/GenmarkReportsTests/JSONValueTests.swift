// SPDX-License-Identifier: MIT
//
// JSONValueTests: the order of fields, nulls, and numbers that JSON does not have.

import GenmarkReports
import Testing

struct JSONValueTests {
  @Test func fieldsKeepTheirOrderAndNullsStand() {
    let value = JSONValue.object([("b", .integer(-1)), ("a", nil), ("c", .array([true, "x\n", .unsigned(.max)]))])
    #expect(value.text == #"{"b":-1,"a":null,"c":[true,"x\n",18446744073709551615]}"#)
  }

  @Test(arguments: [
    (1.0, "1"), (0.5, "0.5"), (1.0 / 3, "0.3333333333333333"), (.infinity, "null"), (.nan, "null"), (-0.0, "0"),
    (1e300, "1e+300"),
  ])
  func numbers(value: Double, text: String) { #expect(JSONValue.number(value).text == text) }
}
