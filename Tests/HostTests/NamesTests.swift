// SPDX-License-Identifier: MIT

import Testing

@testable import Host

struct NamesTests {
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
