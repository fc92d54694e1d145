// SPDX-License-Identifier: MIT
// w5 swiftcycles: push/pop screens, each a graph of classes, closures, arrays, strings, dictionaries.
// usage: w5_swift [screens=2000] [rowsPerScreen=120]
// No Foundation: only the standard library and Glibc.
import Glibc

final class Theme {
  var name: String; var colors: [String: Int]
  init(_ i: Int) {
    name = "theme with a long name \(i)";
    colors = ["background-color": i, "foreground-color": i + 1, "accent-color-number": i + 2]
  }
}
final class Row {
  let title: String; var tags: [String]; var onTap: (() -> Int)?; weak var owner: Screen?; var attrs: [String: String]
  init(_ i: Int, _ o: Screen) {
    title = "row title that is long enough to be on the heap \(i)"
    tags = (0..<4).map { "tag-of-row-number-\(i)-\($0)" }
    attrs = ["accessibility-identifier": title, "style-of-the-row": tags[0]]
    owner = o
    onTap = { [weak o, title] in (o?.rows.count ?? 0) + title.utf8.count }
  }
}
final class Cell { let row: Row; var next: Cell?; init(_ r: Row) { row = r } }
class View {
  var children: [View] = [];
  func layout(_ d: Int) -> Int { var n = 1; for c in children { n += c.layout(d + 1) }; return n }
}
final class Label: View { var text: String; init(_ t: String) { text = t + " (label text suffix)" } }
final class Stack: View { var spacing = 4.0 }
final class Screen {
  var rows: [Row] = []; var theme: Theme; var root: View = Stack(); var handlers: [String: (Int) -> Int] = [:];
  var first: Cell?
  init(_ i: Int, rows n: Int) {
    theme = Theme(i)
    for k in 0..<n { rows.append(Row(i &* 31 &+ k, self)) }
    for r in rows { let c = Cell(r); c.next = first; first = c }
    for (k, r) in rows.enumerated() {
      let s = Stack(); s.children = [Label(r.title), Label(r.tags[1])]; root.children.append(s);
      if k % 8 == 0 {
        let kk = k; handlers["handler-with-key-number-\(k)"] = { [theme] in $0 &+ kk &+ theme.colors.count }
      }
    }
  }
  func use() -> Int {
    var t = root.layout(0)
    for (k, h) in handlers { t &+= h(k.utf8.count) }
    for r in rows { t &+= r.onTap?() ?? 0 }
    let s = rows.map { $0.title }.sorted(); t &+= s.count
    var d: [String: [Int]] = [:]
    for (i, r) in rows.enumerated() { d[r.tags[i % 4], default: []].append(i) }
    t &+= d.count
    return t
  }
  deinit { while let f = first { first = f.next; f.next = nil } }
}
final class Navigator {
  var stack: [Screen] = []; func push(_ s: Screen) { stack.append(s) }; func pop() { _ = stack.popLast() }
}
let screens = CommandLine.arguments.count > 1 ? Int(CommandLine.arguments[1])! : 2000
let rowsN = CommandLine.arguments.count > 2 ? Int(CommandLine.arguments[2])! : 120
let nav = Navigator(); var total = 0
for i in 0..<screens {
  nav.push(Screen(i, rows: rowsN)); total &+= nav.stack.last!.use()
  if nav.stack.count > 3 || i % 2 == 0 { nav.pop() }
}
print("w5 screens=\(screens) total=\(total)")
