// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import InterAppAudio

/// The list of parameters that a node publishes: read whole, or refused with a reason.
struct NodeParameterListTests {
  private static let parameters = [
    NodeParameter(
      "band-1-frequency",
      range: 10...20_000,
      unit: "Hz",
      taper: .logarithmic,
      description: "the center \"of\" the band",
      value: 1_000,
    ),
    NodeParameter("mix", range: -1...1, description: "", value: 0.1),
    NodeParameter(flag: "on_air.2", description: "a switch", isOn: true),
  ]

  @Test func `a list that was written is read as it was`() throws {
    let text = NodeParameterList.text(Self.parameters)
    #expect(try NodeParameterList.parameters(text) == Self.parameters)
    #expect(try NodeParameterList.parameters("[]").isEmpty)
  }

  @Test(arguments: [
    ("", "the list: it cannot be read"), ("{}", "the list: it cannot be read"),
    (#"[{"name":"a","type":"number","minimum":0,"maximum":1}]"#, "the list: it cannot be read"),
    (#"[{"name":"a/b","type":"flag","value":0}]"#, "name: one is empty"),
    (#"[{"name":"","type":"flag","value":0}]"#, "name: one is empty"),
    (#"[{"name":"ä","type":"flag","value":0}]"#, "name: one is empty"),
    (#"[{"name":"a","type":"text","value":0}]"#, "a: the type is not known"),
    (#"[{"name":"a","type":"number","value":0}]"#, "a: it has no range"),
    (
      #"[{"name":"a","type":"number","minimum":1,"maximum":1,"value":1}]"#, "a: it has no range"
    ),
    (
      #"[{"name":"a","type":"number","minimum":0,"maximum":1,"value":2}]"#, "a: the value is 2.0"
    ),
    (
      #"[{"name":"a","type":"number","minimum":0,"maximum":1,"taper":"logarithmic","value":1}]"#,
      "a: the range is 0.0 … 1.0"
    ),
    (
      #"[{"name":"a","type":"number","minimum":0,"maximum":1,"taper":"steep","value":1}]"#,
      "a: the taper is not known"
    ),
    (#"[{"name":"a","type":"flag","value":0.5}]"#, "a: the value is 0.5"),
    (
      #"[{"name":"a","type":"flag","value":0},{"name":"a","type":"flag","value":0}]"#,
      "name: 'a' appears twice"
    ),
    (
      #"[{"name":"a","type":"flag","value":0,"unit":"12345678901234567"}]"#,
      "a: the unit or the description is too long"
    ),
    (
      #"[{"name":"a","type":"flag","value":0,"description":"\u001b[2J"}]"#,
      "a: the unit or the description is too long, or has control characters"
    ),
  ])
  func `a list with a fault is refused with its place and its fault`(text: String, fault: String) {
    let error = #expect(throws: InterAppAudioError.self) {
      try NodeParameterList.parameters(text)
    }
    #expect(error?.message.hasPrefix(fault) == true, "\(String(describing: error))")
    #expect(error?.message.contains("allowed: ") == true)
  }

  @Test func `a list is limited in its length and in the number of its parameters`() {
    func list(_ count: Int) -> String {
      NodeParameterList.text(
        (0..<count).map { .init(flag: "a\($0)", description: "", isOn: false) }
      )
    }
    #expect(throws: Never.self) { try NodeParameterList.parameters(list(128)) }
    #expect(throws: InterAppAudioError.self) { try NodeParameterList.parameters(list(129)) }
    let long = String(repeating: " ", count: 70_000) + "[]"
    #expect(throws: InterAppAudioError.self) { try NodeParameterList.parameters(long) }
  }

  @Test func `20,000 damaged lists are refused, or give allowed values`() {
    var generator = TestSeed.random()
    let whole = Array(NodeParameterList.text(Self.parameters).utf8)
    for _ in 0..<20_000 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        if Bool.random(using: &generator) {
          bytes[place] = UInt8.random(in: 0...255, using: &generator)
        } else {
          bytes.remove(at: place)
        }
      }
      let read = try? NodeParameterList.parameters(String(decoding: bytes, as: UTF8.self))
      for parameter in read ?? [] { #expect(parameter.allows(parameter.value)) }
    }
  }

  @Test(arguments: ["", "nan", "inf", "-inf", "1.01", "-1.01", "0x", "one", "1e400", " 1"])
  func `a value that a parameter cannot have is ignored`(text: String) {
    #expect(NodeParameterList.value(text, of: Self.parameters[1]) == nil)
  }

  @Test func `a value keeps all of its digits`() {
    var generator = TestSeed.random()
    for _ in 0..<1_000 {
      let value = Double.random(in: -1...1, using: &generator)
      let text = NodeParameterList.text(value)
      #expect(NodeParameterList.value(text, of: Self.parameters[1]) == value)
    }
  }
}

/// The way of a parameter to a new value.
struct ParameterRampTests {
  @Test func `a ramp goes in equal steps and ends at its target exactly`() {
    var ramp = ParameterRamp(restingAt: 0)
    ramp.head(for: 0.3, frames: 100)
    var last: Float = 0
    for _ in 0..<99 {
      let value = ramp.next()
      #expect(value - last > 0.0029 && value - last < 0.0031)
      last = value
    }
    #expect(ramp.next() == 0.3)
    #expect(!ramp.isMoving)
    #expect(ramp.next() == 0.3)
  }

  @Test func `a ramp that is turned back on its way makes no step`() {
    var ramp = ParameterRamp(restingAt: 0)
    ramp.head(for: 1, frames: 10)
    for _ in 0..<5 { _ = ramp.next() }
    ramp.head(for: 0, frames: 10)
    #expect(abs(ramp.next() - 0.45) < 1e-6)
    // The target that it has already does not begin it anew.
    ramp.head(for: 0, frames: 10)
    for _ in 0..<9 { _ = ramp.next() }
    #expect(ramp.value == 0)
  }
}
