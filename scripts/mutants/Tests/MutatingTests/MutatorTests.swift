// SPDX-License-Identifier: MIT

import Mutating
import Testing

@Suite struct MutatorTests {
  /// Rewrites a source, and leaves out the import of `Mutant`.
  private func rewrite(
    _ source: String,
    leavingOut leftOut: Set<String> = [],
  ) -> (text: String, places: [Place]) {
    var mutator = Mutator(leavingOut: leftOut)
    let text = mutator.rewrite(source, file: "Sources/A/B.swift", target: "A")
    let head = "public import Mutant; "
    return (text.hasPrefix(head) ? String(text.dropFirst(head.count)) : text, mutator.places)
  }

  @Test(arguments: [
    ("a < b", "Mutant.less(1, a , b)"),
    ("a<=b", "Mutant.atMost(1, a,b)"),
    ("a > b", "Mutant.more(1, a , b)"),
    ("a >= b", "Mutant.atLeast(1, a , b)"),
    ("a == b", "Mutant.flip(1, a == b)"),
    ("a != nil", "Mutant.flip(1, a != nil)"),
    ("!a", "Mutant.flip(1, !a)"),
    ("a && b", "Mutant.flip(1, Mutant.flip(1, a) && Mutant.flip(1, b))"),
    ("a + b - c", "Mutant.minus(1, Mutant.plus(2, a , b) , c)"),
    ("a + b * c", "Mutant.plus(1, a , Mutant.times(2, b , c))"),
    ("a / b % c", "Mutant.modulo(1, Mutant.over(2, a , b) , c)"),
    ("a &+ b &- c", "Mutant.wrappingMinus(1, Mutant.wrappingPlus(2, a , b) , c)"),
    ("a[i] += b", "Mutant.add(1, &a[i] , b)"),
    ("a -= b", "Mutant.subtract(1, &a , b)"),
    ("x = true", "x = Mutant.flip(1, true)"),
    ("f(0, 2, 1)", "f(Mutant.literal(1, 0, 1), 2, Mutant.literal(2, 1, 0))"),
    ("min(a, b)", "Mutant.min(1, a, b)"),
    ("Swift.max(a, b)", "Mutant.max(1, a, b)"),
    ("try f() < g()", "try Mutant.less(1, f() , g())"),
    ("guard a else { return }", "guard Mutant.pass(1, a) else { return }"),
    (
      "guard a, let b else { return }", "guard Mutant.pass(1, a), let b else { return }"
    ),
    ("a == b ? c : d", "Mutant.flip(1, a == b) ? c : d"),
    ("var a: Bool { b > c }", "var a: Bool { Mutant.more(1, b , c) }"),
  ])
  func `an operator becomes a choice`(source: String, wanted: String) {
    #expect(rewrite(source).text == wanted)
  }

  @Test(arguments: [
    "let a = 1", "enum A { static let a = b < c }", "func f(_ a: Bool = true) {}",
    "enum A: Int { case a = 1 }", "\"\\(a + b)\"", "\"a\" + b", "a += [b]", "a?.b += c",
    "precondition(a < b)", "#if DEBUG && a\n#endif", "switch a { case 0: f() default: g() }",
    "f(\\.[0])", "min(by: a)", "p = .allocate(capacity: 1)", "while true {}",
    "p.deinitialize(count: 1)", "p = .allocate(capacity: max(1, a * b))",
    "p.initialize(repeating: a, count: b + 1)", "a ..< b",
    "#expect(a == b)", "@a(true) func f() {}",
  ])
  func `no choice where a mutant could not compile or be told apart`(source: String) {
    let rewritten = rewrite(source)
    #expect(rewritten.text == source)
    #expect(rewritten.places.isEmpty)
  }

  @Test func `lines and comments stay, and places are found again`() {
    let source =
      "func f() {\n  // a < b\n  return a  // why\n    && b\n}\nfunc g() {\n  return a < 0\n}"
    let rewritten = rewrite(source)
    #expect(
      rewritten.text
        == "func f() {\n  // a < b\n  return Mutant.flip(1, Mutant.flip(1, a)  // why\n    && Mutant.flip(1, b))\n}\n"
        + "func g() {\n  return Mutant.less(2, a , Mutant.literal(3, 0, 1))\n}"
    )
    let place = rewritten.places[0]
    #expect([place.line, place.column, place.firstLine, place.lastLine] == [4, 5, 3, 4])
    #expect([place.original, place.mutated, place.text] == ["&&", "||", "&& b"])
  }

  @Test func `equal changes of equal lines are counted`() {
    let places = rewrite("f(0, 0)\ng()\nf(0, 0)").places
    #expect(
      places.map(\.key) == (1...4).map { "Sources/A/B.swift: \($0). 0 to 1: f(0, 0)" }
    )
    #expect(places.map(\.number) == [1, 2, 3, 4])
  }

  @Test func `a mutant that is left out keeps its number, and its source stays`() {
    let rewritten = rewrite("a + b - c", leavingOut: ["Sources/A/B.swift: 1. + to -: a + b - c"])
    #expect(rewritten.text == "Mutant.minus(1, a + b , c)")
    #expect(rewritten.places.map(\.number) == [1, 2])
    #expect(rewrite("a + b", leavingOut: ["Sources/A/B.swift: 1. + to -: a + b"]).text == "a + b")
  }

  @Test func `numbers go on from file to file`() {
    var mutator = Mutator()
    _ = mutator.rewrite("a < b", file: "Sources/A/B.swift", target: "A")
    let second = mutator.rewrite("a > b", file: "Sources/A/C.swift", target: "A")
    #expect(second == "public import Mutant; Mutant.more(2, a , b)")
    #expect(mutator.places.map(\.file) == ["Sources/A/B.swift", "Sources/A/C.swift"])
  }
}
