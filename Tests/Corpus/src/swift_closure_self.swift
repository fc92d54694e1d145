// SPDX-License-Identifier: MIT
// A form stores a closure that captures the form itself. FIXED: [weak self].

final class Field {
    var text: String
    init(_ text: String) { self.text = text }
}

final class FormController {
    private var onSubmit: (() -> Int)?
    private let field: Field
    private(set) var submitted = 0

    init(id: Int) { field = Field("f\(id % 10)") }

    func configure(limit: Int) {
        var tries = 0
#if FIXED
        onSubmit = { [weak self] in
            guard let self else { return 0 }
            tries += 1
            if tries < limit { self.submitted += 1 }
            return self.submitted
        }
#else
        onSubmit = {
            tries += 1
            if tries < limit { self.submitted += 1 }
            return self.submitted
        }
#endif
    }

    func submit() -> Int { (onSubmit?() ?? 0) + field.text.utf8.count }
}

func showForm(_ i: Int) -> FormController {
    let f = FormController(id: i)
    f.configure(limit: 3 + i % 2)
    return f
}

@main struct Main {
    static func main() {
        let cycles = benchCycles()
        for i in 0..<cycles {
            do {
                let f = showForm(i)
                benchUse(f.submit() + f.submit())
            }
            benchMark("cycle")
        }
        benchDone(cycles)
    }
}
