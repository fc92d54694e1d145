// SPDX-License-Identifier: MIT
//
// CSV: one line a call stack (RFC 4180), for spreadsheets.

import GenmarkModel

public enum CSV {
  public static func text(_ stacks: StackSamples, program: String?) -> String {
    var out = "bytes,blocks,function,file,line,module,stack\r\n"
    for sample in stacks.samples {
      let frame = sample.frames.isEmpty ? nil : sample.frames[sample.frames.headline(program: program)]
      let stack = sample.frames.map { Escaping.cut(FrameText.plainName($0)) }.joined(separator: " < ")
      let fields = [
        "\(sample.amount.bytes.count)", "\(sample.amount.blocks.count)", Escaping.csv(FrameText.plainName(frame)),
        Escaping.csv(frame?.file ?? ""), frame?.line.map(String.init) ?? "", Escaping.csv(frame?.module ?? ""),
        Escaping.csv(stack),
      ]
      out += fields.joined(separator: ",") + "\r\n"
    }
    return out
  }
}
