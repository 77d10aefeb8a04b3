// SPDX-License-Identifier: MIT

import Testing

@testable import Host

struct NamesTests {
  @Test(arguments: [
    ["playback_1", "playback_2", "playback_10"],
    ["system:capture_9", "system:capture_10", "system:capture_100"],
    ["a", "a1", "a1b", "a2", "b"],
    ["FL", "FR", "fl"],
    ["out", "out_1"],
  ])
  func `names are ordered as people count`(names: [String]) {
    #expect(names.reversed().sorted(by: NaturalOrder.areInIncreasingOrder) == names)
  }

  @Test func `no name comes before itself, and one of two different ones comes first`() {
    let names = ["", "1", "01", "a1", "a01", "1a", "٣", "a٣", "99999999999999999999", "å2", "é10"]
    for first in names {
      for second in names {
        let before = NaturalOrder.areInIncreasingOrder(first, second)
        let after = NaturalOrder.areInIncreasingOrder(second, first)
        #expect(first == second ? !before && !after : before != after, "\(first) \(second)")
      }
    }
  }

  @Test func `ports are numbered from 1 and never renamed`() {
    #expect(PortNames.strip("deck-a", channel: 0) == "deck-a_in_1")
    #expect(PortNames.route("main", channel: 1) == "main_out_2")
    #expect(PortNames.source("deck-a", channel: 1) == "deck-a_2")
    #expect(PortNames.sourceClient(of: "dj") == "dj-sources")
  }

  @Test func `people read left and right, or numbers`() {
    #expect(PortNames.pretty("Mic", channel: 0, of: 1) == "Mic")
    #expect(PortNames.pretty("Main PA", channel: 0, of: 2) == "Main PA left")
    #expect(PortNames.pretty("Main PA", channel: 1, of: 2) == "Main PA right")
    #expect(PortNames.pretty("Choir", channel: 2, of: 4) == "Choir 3")
  }
}
