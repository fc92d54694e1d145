# SPDX-License-Identifier: MIT
# swiftc compiling a file, and the program it makes. Long.
# Losses: stacksBroken: functions of the Swift compiler that make metadata have no unwind entry
. "$(dirname "$0")/common.sh"
need swiftc
cat > main.swift <<'END'
struct Shape: Hashable { var name: String; var sides: Int }
let shapes = (3...300).map { Shape(name: "shape \($0)", sides: $0) }
let index = Dictionary(grouping: shapes) { $0.sides % 7 }
print(index.keys.sorted().map { "\($0): \(index[$0]!.count)" }.joined(separator: " "))
func work() async -> Int { await withTaskGroup(of: Int.self) { g in for i in 0..<50 { g.addTask { i * i } }; return await g.reduce(0, +) } }
print(await work())
END
recorded swiftc -O main.swift -o main 2>&1
recorded ./main
