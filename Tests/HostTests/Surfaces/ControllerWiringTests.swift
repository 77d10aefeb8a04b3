// SPDX-License-Identifier: MIT

import JACK
import Patchbay
import Testing

@testable import Host

/// The connections to a controller, as its ports come in any order.
struct ControllerWiringTests {
  private static let incoming = ConnectionPair(source: "Box:out", destination: "dj:box_in")
  private static let outgoing = ConnectionPair(source: "dj:box_out", destination: "Box:in")

  private var wiring = ControllerWiring(
    device: ControllerDevice(name: "box", ports: .words("Box")),
    inputName: "dj:box_in",
    outputName: "dj:box_out",
  )

  private func port(_ name: String, _ direction: PortFlags) -> PortInfo {
    PortInfo(
      name: name,
      client: "Box",
      shortName: String(name.dropFirst(4)),
      type: "8 bit raw midi",
      flags: direction,
      isMine: false,
      uuid: 1,
      aliases: [],
    )
  }

  private mutating func wanted(_ names: String..., new: Set<String> = []) -> [ConnectionPair] {
    let ports = names.map { port($0, $0.hasSuffix("out") ? .output : .input) }
    return wiring.wanted(among: ports, taken: [], isNew: new.contains)
  }

  @Test mutating func `the way back is made with the port that came first, before JACK reports it`()
  {
    // Bridges such as a2jmidid make the port that sends first.
    #expect(wanted("Box:out", new: ["Box:out"]) == [Self.incoming])
    #expect(wanted("Box:out", "Box:in", new: ["Box:out", "Box:in"]) == [Self.outgoing])
    #expect(wanted("Box:out", "Box:in") == [])
    #expect(wiring.connected(Self.incoming) == "Box:out")
    #expect(wiring.connected(Self.outgoing) == "Box:in")
    #expect(wiring.sources == ["Box:out"] && wiring.destinations == ["Box:in"])
  }

  @Test mutating func `a port that hears waits for its twin, and not for ever`() {
    #expect(wanted("Box:in", new: ["Box:in"]) == [])
    #expect(
      wanted("Box:in", "Box:out", new: ["Box:in", "Box:out"]) == [Self.incoming, Self.outgoing]
    )
    wiring.vanished("Box:in")
    wiring.vanished("Box:out")
    #expect(wiring.isEmpty)
    #expect(wanted("Box:in") == [Self.outgoing], "only lights")
  }

  @Test mutating func `a connection that a user removes stays away until its port comes again`() {
    _ = wanted("Box:in", "Box:out")
    _ = wiring.connected(Self.incoming)
    _ = wiring.connected(Self.outgoing)
    wiring.disconnected(Self.incoming)
    #expect(wanted("Box:in", "Box:out") == [])
    wiring.vanished("Box:out")
    #expect(wanted("Box:in", "Box:out") == [Self.incoming])
  }
}
