// SPDX-License-Identifier: MIT

import Foundation
import GenmarkModel
import GenmarkTestSupport
import Testing

@testable import GenmarkSymbols

/// More than ten thousand addresses of deeply inlined C++, compared with binutils' addr2line.
@Suite struct AgainstAddr2lineTests {
  private struct Line: Equatable {
    var linkageName: String
    var file: String
    var line: Int
  }

  static let source = """
    #include <algorithm>
    #include <functional>
    #include <map>
    #include <memory>
    #include <sstream>
    #include <string>
    #include <unordered_map>
    #include <variant>
    #include <vector>
    namespace shop {
    namespace { template <class T> T twice(T t) { return t + t; } }
    static std::string label(int i) {
      std::ostringstream o;
      o << "item " << twice(i) << ' ' << twice(std::to_string(i));
      return o.str();
    }
    class Cart {
     public:
      struct Line { std::string name; std::variant<int, double, std::string> price; };
      void add(int i) {
        lines.push_back({label(i), i % 2 ? std::variant<int, double, std::string>(i) : label(i)});
        index[lines.back().name] = std::make_shared<Line>(lines.back());
        if (on) on(lines.back());
      }
      void sort() { std::sort(lines.begin(), lines.end(), [](auto &a, auto &b) { return a.name < b.name; }); }
      std::vector<Line> lines;
      std::unordered_map<std::string, std::shared_ptr<Line>> index;
      std::function<void(const Line &)> on;
    };
    }
    int main(int c, char **) {
      std::map<std::string, std::vector<int>> seen;
      shop::Cart cart;
      cart.on = [&](const shop::Cart::Line &l) { seen[l.name].push_back((int)l.name.size()); };
      for (int i = 0; i < 50; i++) cart.add(i * c);
      cart.sort();
      return (int)seen.size();
    }
    """

  /// More than 10,000 addresses in all.
  @Test(arguments: ["-gdwarf-5", "-gdwarf-4"], ["-O2", "-O3"])
  func theSameOrBetterForEveryAddress(_ format: String, _ level: String) throws {
    let binary = try Binary(Self.source, as: "program.cc", ["g++", "-std=c++20", level, format, "-Wl,--build-id"])
    let addresses = try Self.instructionAddresses(of: binary)
    #expect(addresses.count > 3000)
    let expected = try Self.addr2line(binary, addresses)
    let module = try binary.module()
    let found = frames(of: module, returnAddresses: addresses.map { $0 + 1 }).frames
    let functions = try Self.symbolRanges(of: binary)
    var unnamed = 0
    for (index, address) in addresses.enumerated() {
      // Where addr2line names the last function before a gap, there is no name.
      if found[index].functions == [nil] {
        #expect(!functions.contains { $0.contains(address) }, "\(String(address, radix: 16)) lies in a function")
        unnamed += 1
        continue
      }
      let same =
        found[index].count == expected[index].count
        && zip(found[index], expected[index]).allSatisfy {
          Self.isSameOrBetter($0, $1, in: expected[index].last?.linkageName)
        }
      if !same { Issue.record("\(String(address, radix: 16)): \(found[index]) is worse than \(expected[index])") }
    }
    #expect(unnamed < addresses.count / 5)
  }

  /// The same function and line, or the function with its scopes and parameters.
  private static func isSameOrBetter(_ frame: Frame, _ line: Line, in function: String?) -> Bool {
    guard (frame.line ?? 0) == line.line, let ours = frame.linkageName else { return false }
    // Code without a line has its function's file; addr2line takes any that is near.
    guard frame.line == nil || base(frame.file) == line.file || line.file == "program.cc" else { return false }
    // addr2line calls the innermost inlined function after the function around it when it has no linkage name.
    if frame.inlined, line.linkageName == function { return true }
    let theirs = Demangler.withoutCopySuffix(line.linkageName)
    let bare = Demangler.withoutCopySuffix(ours)
    return bare == theirs || ours.hasSuffix("::" + theirs)
      || CxxName.plain(Demangler.name(for: ours)).hasSuffix("::" + theirs)
  }

  private static func base(_ path: String?) -> String { path.map { ($0 as NSString).lastPathComponent } ?? "??" }

  private static func instructionAddresses(of binary: Binary) throws -> [UInt64] {
    try binary.run(["objdump", "-d", "--no-show-raw-insn", binary.path]).split(separator: "\n").compactMap { line in
      line.first == " " ? UInt64(line.drop { $0 == " " }.prefix { $0 != ":" }, radix: 16) : nil
    }
  }

  private static func symbolRanges(of binary: Binary) throws -> [Range<UInt64>] {
    try binary.run(["nm", "-S", binary.path]).split(separator: "\n").compactMap { line in
      let parts = line.split(separator: " ")
      guard parts.count == 4, "tTwWi".contains(parts[2]), let start = UInt64(parts[0], radix: 16),
        let size = UInt64(parts[1], radix: 16)
      else { return nil }
      return start..<start + size
    }
  }

  private static func addr2line(_ binary: Binary, _ addresses: [UInt64]) throws -> [[Line]] {
    let input = addresses.map { String($0, radix: 16) + "\n" }.joined()
    let text = try binary.run(["addr2line", "-aife", binary.path], input: input)
    var answers: [[Line]] = []
    var name: Substring?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) where !line.isEmpty {
      if line.hasPrefix("0x"), name == nil {
        answers.append([])
      } else if let function = name {
        let place = line.split(separator: " (discriminator")[0]
        let colon = place.lastIndex(of: ":") ?? place.endIndex
        answers[answers.count - 1].append(
          Line(
            linkageName: String(function), file: base(String(place[..<colon])),
            line: Int(place[colon...].dropFirst()) ?? 0))
        name = nil
      } else {
        name = line
      }
    }
    return answers
  }
}
