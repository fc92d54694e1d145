// SPDX-License-Identifier: MIT
//
// ConstantFunction: what a function returns that does nothing but return an address known when it was linked. A reader of
// the few x86-64 instructions that gcc and clang write for that at any level of optimisation (Intel SDM vol. 2 has their
// encodings); whatever else is met ends it. Used by OwnSuppressions.

/// The bytes of a file by the addresses that it is linked for.
struct FileImage {
  private let bytes: UnsafeRawBufferPointer
  private var segments: [(start: UInt64, offset: UInt64, size: UInt64)] = []
  /// What the loader sets the word at an address to; nil where it leaves it as it is.
  private let relocated: (UInt64) -> UInt64?

  /// - Parameter bytes: must outlive the image.
  init(bytes: UnsafeRawBufferPointer, relocated: @escaping (UInt64) -> UInt64? = { _ in nil }) {
    self.bytes = bytes
    self.relocated = relocated
  }

  mutating func add(segment start: UInt64, at offset: UInt64, size: UInt64) {
    let end = offset.addingReportingOverflow(size)
    guard !end.overflow, end.partialValue <= UInt64(bytes.count), !start.addingReportingOverflow(size).overflow else {
      return
    }
    segments.append((start, offset, size))
  }

  /// As many bytes as are there, at most `count`.
  func bytes(at address: UInt64, count: Int) -> Slice<UnsafeRawBufferPointer> {
    guard let segment = segments.first(where: { $0.start <= address && address - $0.start < $0.size }) else {
      return bytes[0..<0]
    }
    let start = Int(segment.offset + (address - segment.start))
    return bytes[start..<min(start + count, Int(segment.offset + segment.size))]
  }

  /// A pointer that is there when the program runs.
  func pointer(at address: UInt64) -> UInt64? {
    if let value = relocated(address) { return value }
    let word = bytes(at: address, count: 8)
    return word.count == 8 ? word.reversed().reduce(0) { $0 << 8 | UInt64($1) } : nil
  }

  /// The text up to the next zero; nil when there is none within the limit.
  func text(at address: UInt64, limit: Int) -> String? {
    let found = bytes(at: address, count: limit)
    guard let end = found.firstIndex(of: 0) else { return nil }
    return String(decoding: found[..<end], as: UTF8.self)
  }
}

/// Follows the instructions of one function.
struct ConstantFunction {
  /// More than any function that returns a literal has.
  private static let mostInstructions = 32

  private let image: FileImage

  init(_ image: FileImage) { self.image = image }

  /// The value returned in rax; nil when it can not be told.
  func result(at address: UInt64) -> UInt64? {
    var pc = address
    var rax: UInt64?
    // Locals of code that is not optimised, by their distance from rbp.
    var locals: [UInt8: UInt64] = [:]
    for _ in 0..<ConstantFunction.mostInstructions {
      let code = Array(image.bytes(at: pc, count: 16))
      func begins(_ wanted: [UInt8], with operands: Int = 0) -> Bool {
        code.starts(with: wanted) && code.count >= wanted.count + operands
      }
      func value(_ start: Int, _ size: Int) -> UInt64 {
        code[start..<start + size].reversed().reduce(0) { $0 << 8 | UInt64($1) }
      }
      func signed(_ start: Int) -> UInt64 { UInt64(bitPattern: Int64(Int32(truncatingIfNeeded: value(start, 4)))) }
      func after(_ size: Int) -> UInt64 { pc &+ UInt64(size) }

      if begins([0xc3]) || begins([0xf3, 0xc3]) { return rax }  // ret
      switch true {
      case begins([0xf3, 0x0f, 0x1e, 0xfa]): pc = after(4)  // endbr64
      case begins([0x55]), begins([0x5d]), begins([0xc9]), begins([0x90]): pc = after(1)  // push, pop rbp; leave; nop
      case begins([0x48, 0x89, 0xe5]), begins([0x48, 0x8b, 0xec]): pc = after(3)  // mov rbp, rsp
      case begins([0x48, 0x83, 0xec], with: 1), begins([0x48, 0x83, 0xc4], with: 1): pc = after(4)  // sub, add rsp
      case begins([0x31, 0xc0]): (rax, pc) = (0, after(2))  // xor eax, eax
      case begins([0x48, 0x8d, 0x05], with: 4): (rax, pc) = (after(7) &+ signed(3), after(7))  // lea rax, [rip + n]
      case begins([0x48, 0x8b, 0x05], with: 4): (rax, pc) = (image.pointer(at: after(7) &+ signed(3)), after(7))
      case begins([0xb8], with: 4): (rax, pc) = (value(1, 4), after(5))  // mov eax, n
      case begins([0x48, 0xc7, 0xc0], with: 4): (rax, pc) = (signed(3), after(7))  // mov rax, n
      case begins([0x48, 0xb8], with: 8): (rax, pc) = (value(2, 8), after(10))  // movabs rax, n
      case begins([0x48, 0x89, 0x45], with: 1): (locals[code[3]], pc) = (rax, after(4))  // mov [rbp + n], rax
      case begins([0x48, 0x8b, 0x45], with: 1): (rax, pc) = (locals[code[3]], after(4))  // mov rax, [rbp + n]
      case begins([0xeb], with: 1): pc = after(2) &+ UInt64(bitPattern: Int64(Int8(bitPattern: code[1])))  // jmp
      case begins([0xe9], with: 4): pc = after(5) &+ signed(1)
      default: return nil
      }
    }
    return nil
  }
}
