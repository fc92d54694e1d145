// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import GenmarkSymbols

@Suite struct DemanglerTests {
  @Test(arguments: [
    ("$s6family6ParentC8addChild3ageySi_tF", "Parent.addChild(age:)"),
    ("$s6family4MainV4mainyyFZ", "static Main.main()"),
    ("$s16swift_hot_signal13MappedSubjectCyACyxq_GAA0E0CyxG_q_xctcfcSi_SSTg5", "specialized MappedSubject.init(_:_:)"),
    ("$s16swift_hot_signal11ClockScreenC6appearyyFySScfU0_TA", "partial apply for closure #2 in ClockScreen.appear()"),
    ("$s1a4workySiAA7CounterCYaKFTQ0_", "(1) await resume partial function for work(_:)"),
    ("$s1a4workySiAA7CounterCYaKFTY2_", "(3) suspend resume partial function for work(_:)"),
    ("_ZN3Job4makeEi", "Job::make(int)"),
    ("_ZN5StoreIiE4growEm", "Store<int>::grow(unsigned long)"),
    ("_ZN12_GLOBAL__N_13barEi", "(anonymous namespace)::bar(int)"),
    ("_Z4pageB5cxx11v", "page()"),
    ("_Z3foov.cold", "foo()"),
    ("_ZN3JobC4Ei", "Job::Job(int)"),
    ("_RNvMCs6GmmlP4bgsG_1rNtB2_5Store3put", "<r::Store>::put"),
    ("_ZN3std2io5stdio6_print17h1234567890abcdefE", "std::io::stdio::_print"),
    ("main", "main"),
    ("parse.constprop.0", "parse"),
    ("__GI___libc_malloc", "__libc_malloc"),
    ("my.own.name", "my.own.name"),
    ("", ""), ("_Z", "_Z"), ("$s", "$s"), ("_R", "_R"), ("_ZN", "_ZN"),
  ])
  func namesAreThoseThatPeopleRead(_ linkageName: String, _ name: String) {
    #expect(Demangler.name(for: linkageName) == name)
  }

  @Test func theFullNameHasTypesAndModules() {
    #expect(
      Demangler.fullName(for: "$s6family6ParentC8addChild3ageySi_tF") == "family.Parent.addChild(age: Swift.Int) -> ()")
    #expect(Demangler.fullName(for: "_ZNSt6vectorIiSaIiEE9push_backEOi").contains("std::allocator<int>"))
  }

  /// n types, each made of two of the one before: 2ⁿ parts from a few bytes each.
  private static func cxxBomb(_ n: Int) -> String {
    let digits = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    func reference(_ number: Int) -> String {
      number < 36 ? "S\(digits[number])_" : "S\(digits[number / 36])\(digits[number % 36])_"
    }
    return "_Z1f1AIiiE" + (0..<n).map { "S_I" + reference($0) + reference($0) + "E" }.joined()
  }

  private static func swiftBomb(_ n: Int) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    return "$s1p1PVy" + String(repeating: "ACy", count: n - 1) + "yXlSgADG"
      + (1..<n).map { "A\(letters[3 + $0])G" }.joined() + "WOc"
  }

  @Test(.timeLimit(.minutes(1)), arguments: [cxxBomb(12), cxxBomb(200), swiftBomb(8), swiftBomb(14), swiftBomb(22)])
  func aNameThatExplodesIsCutOrShownAsItIs(_ bomb: String) {
    for name in [Demangler.name(for: bomb), Demangler.fullName(for: bomb)] {
      #expect(name.count <= Demangler.nameLimit)
      #expect(name == bomb || name.hasSuffix("…"))
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func manyNamesThatExplodeAreNoSlowerThanAFew() {
    for n in 0..<2000 { #expect(Demangler.name(for: Self.swiftBomb(22) + "_\(n)").count <= Demangler.nameLimit) }
  }

  @Test(.timeLimit(.minutes(1)))
  func anyBytesGiveAName() {
    var random = SystemRandomNumberGenerator()
    let alphabet = Array("_ZN$sSIAEGtyC0123456789<>()oper@.TQ{}[]:, é")
    for _ in 0..<5000 {
      let length = Int.random(in: 0...60, using: &random)
      let start = ["_Z", "_R", "$s", "_ZN1a", ""].randomElement(using: &random) ?? ""
      let name = start + String((0..<length).map { _ in alphabet.randomElement(using: &random) ?? "_" })
      #expect(Demangler.name(for: name).count <= Demangler.nameLimit)
      _ = CxxName.short(name)
      _ = CxxName.plain(name)
      _ = SwiftName.isStandardLibrary(name)
    }
  }

  /// Against the demangler itself: the bound is one, for names of every shape that doubles.
  @Test func noNameGetsLongerThanItsBound() {
    let doublings: [(Int) -> String] = [
      { Self.swiftBomb($0) },
      // Dictionary<X, X>, with a reference for one of the two.
      { n in "$s1a1bV1cyySD" + String(repeating: "ySD", count: n - 1) + "ySiSiGACGADGAEGAFGF" },
      { n in "$s1a1bV1cyy" + String(repeating: "A\(n)B", count: 3) + "F" },
    ]
    for doubling in doublings {
      for n in 2...10 {
        let name = doubling(n)
        let length = Double(Demangler.fullName(for: name).utf8.count)
        #expect(length <= 40 * Double(name.utf8.count) * exp2(Demangler.expansionBits(of: name)))
      }
    }
    #expect(Demangler.expansionBits(of: "$s6family6ParentC8addChild3ageySi_tF") < 3)
    #expect(Demangler.expansionBits(of: Self.swiftBomb(22)) > 20)
  }

  @Test func longNamesAreCut() {
    let long = String(repeating: "x", count: 9000)
    #expect(Demangler.name(for: long).count == Demangler.nameLimit)
    #expect(Demangler.name(for: "_Z\(long.count)\(long)v").count == Demangler.nameLimit)
  }
}

@Suite struct CxxNameTests {
  @Test(arguments: [
    ("std::vector<int, std::allocator<int> >::push_back(int&&)", "std::vector<int>::push_back(int&&)"),
    (
      "f(std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> > const&)",
      "f(std::string const&)"
    ),
    (
      "std::map<int, A<B>, std::less<int>, std::allocator<std::pair<int const, A<B> > > >::at(int const&)",
      "std::map<int, A<B>>::at(int const&)"
    ),
    ("std::unique_ptr<T, std::default_delete<T> >::reset(T*)", "std::unique_ptr<T>::reset(T*)"),
    ("mine::map<int, std::less<int> >::at()", "mine::map<int, std::less<int>>::at()"),
    ("bool operator<(A const&, A const&)", "bool operator<(A const&, A const&)"),
    ("A::operator->() const", "A::operator->() const"),
    ("A<&(f(int, char))>::g()", "A<&(f(int, char))>::g()"),
    (
      "g<main(int)::<lambda(std::vector<int, std::allocator<int> >&)> >::f",
      "g<main(int)::<lambda(std::vector<int>&)>>::f"
    ),
    ("page[abi:cxx11]()", "page()"),
    (
      "main::{lambda(std::vector<int, std::allocator<int> >&)#1}::operator()(int) const",
      "main::{lambda(std::vector<int>&)#1}::operator()(int) const"
    ),
    ("a<b", "a<b>"), ("a>b", "a>b"), (">>>", ">>>"), ("(((", "((("), ("operator", "operator"),
  ])
  func defaultsAreLeftOut(_ long: String, _ short: String) { #expect(CxxName.short(long) == short) }

  @Test(arguments: [
    ("void std::vector<int>::_M_realloc_insert<int>(int*, int&&)", "std::vector::_M_realloc_insert"),
    ("operator new(unsigned long)", "operator new"),
    ("std::ostream& std::operator<< <char>(std::ostream&, char)", "std::operator<< "),
    ("(anonymous namespace)::Hidden::add(int)", "(anonymous namespace)::Hidden::add"),
    ("main::{lambda(int)#1}::operator()(int) const", "main::{lambda(int)#1}::operator()"),
    ("f(int)::g()", "f::g"), ("main", "main"), ("", ""), ("(", ""), ("<<", ""),
  ])
  func thePlainNameIsThePath(_ name: String, _ plain: String) { #expect(CxxName.plain(name) == plain) }
}
