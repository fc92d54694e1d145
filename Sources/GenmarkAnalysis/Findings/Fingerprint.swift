// SPDX-License-Identifier: MIT
//
// Fingerprint: the name of a finding that stays the same in the next build, on another machine, under another folder.
//
// It is the FNV-1a hash, 64 bit, of the caller chain: base name of the module and demangled function of each frame
// from the headline outwards. Addresses, lines and files are not in it; allocator and runtime frames are left out
// and recursion is collapsed (see CallerChain and FrameKey), as is what differs among builds (see StableChain).

enum Fingerprint {
  /// 16 hexadecimal digits.
  static func text(of chain: CallerChain) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    for key in chain.functions {
      key.module.utf8.forEach(add)
      add(0)
      key.function.utf8.forEach(add)
      add(0)
    }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
