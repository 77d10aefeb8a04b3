// SPDX-License-Identifier: MIT

import Sessions
import Testing

@testable import GraphFiles

@Suite("CAT, OPT, MOD: the category allows what the graph does")
struct CategoryTests {
  static let directions: [Marked] = [
    Marked(
      "multiroute: 1\nsession: {category: playback}\n"
        + "routes:\n  a: {type: lineOut, ports: [\"s:1\"]}\n  ‸b: {type: HDMI, ports: [\"s:2\"]}\n",
      "route 'b': the category 'playback' has one output route, 'a'; several need 'category: "
        + "multiRoute'",
    ),
    Marked(
      "multiroute: 1\nsession: {category: record}\nroutes: {‸r: {type: lineOut, ports: [\"a:b\"]}}\n",
      "route 'r': the category 'record' has no output; use multiRoute",
    ),
    Marked(
      "multiroute: 1\nsession: {category: ambient}\nroutes: {‸r: {type: lineIn, ports: [\"a:b\"]}}\n",
      "route 'r': the category 'ambient' has no input; categories with input: multiRoute, "
        + "playAndRecord, record",
    ),
    Marked(
      "multiroute: 1\nsession: {category: playback}\nsources: {s: {input: ‸true}}\n",
      "input: the category 'playback' has no input; categories with input: multiRoute, "
        + "playAndRecord, record",
    ),
    Marked(
      "multiroute: 1\nroutes:\n  a: {type: lineIn, ports: [\"s:1\"]}\n"
        + "  b: {type: lineIn, ports: [\"s:2\"]}\n"
        + "sources:\n  x: {input: a}\n  y: {input: a}\n  z: {input: ‸b}\n",
      "input: source 'x' reads another input already; a session has one at a time",
    ),
    Marked(
      "multiroute: 1\nsession: {category: playback, preferred: {inputChannels: ‸2}}\n",
      "inputChannels: the category 'playback' has no input; categories with input: multiRoute, "
        + "playAndRecord, record",
    ),
    Marked(
      "multiroute: 1\nsession: {category: record, preferred: {outputChannels: ‸2}}\n",
      "outputChannels: the category 'record' has no output; remove it",
    ),
    Marked(
      "multiroute: 1\nsession: {mode: ‸voiceChat}\n",
      "mode: the category 'multiRoute' does not take 'voiceChat'; categories that do: playAndRecord",
    ),
    Marked(
      "multiroute: 1\nsession: {category: soloAmbient, options: [‸mixWithOthers]}\n",
      "options: the category 'soloAmbient' does not take 'mixWithOthers'; categories that do: "
        + "playback, playAndRecord, multiRoute",
    ),
  ]

  @Test("faults", arguments: directions)
  func direction(fault: Marked) {
    #expect(fault.found == fault.expected)
  }

  @Test(
    "OPT-1: each option with each category",
    arguments: CategoryOptions.named.map(\.option),
    Category.inGraphFiles,
  )
  func option(option: CategoryOptions, category: Sessions.Category) {
    let text = "multiroute: 1\nsession: {category: \(category), options: [\(option.name)]}\n"
    let settable = CategoryOptions.table(for: category, mode: .default).settable
    #expect(faults(of: text).isEmpty == settable.contains(option))
  }

  @Test(
    "MOD-1: each mode with each category",
    arguments: Mode.allCases,
    Category.inGraphFiles,
  )
  func mode(mode: Mode, category: Sessions.Category) {
    let text = "multiroute: 1\nsession: {category: \(category), mode: \(mode.name)}\n"
    #expect(faults(of: text).isEmpty == mode.categories.contains(category))
  }

  @Test("a faulty category or route brings no further faults")
  func noConsequences() {
    let category = "multiroute: 1\nsession: {category: playbak}\nsources: {s: {input: true}}\n"
    #expect(faults(of: category).count == 1)
    let route = """
      multiroute: 1
      routes: {mic: {type: builtInMick, ports: ["a:b"]}}
      sources: {s: {input: mic}}
      """
    #expect(faults(of: route).count == 1)
  }
}
