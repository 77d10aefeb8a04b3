// SPDX-License-Identifier: MIT

import ControlSocket
import GraphFiles
import Testing

@testable import Host

struct NamesTests {
  @Test func `ports are numbered from 1 and never renamed`() {
    #expect(PortNames.strip("deck-a", channel: 0) == "deck-a_in_1")
    #expect(PortNames.route("main", channel: 1) == "main_out_2")
    #expect(PortNames.source("deck-a", channel: 1) == "deck-a_2")
    #expect(PortNames.sourceClient(of: ClientNames(main: "dj")) == "dj-sources")
  }

  @Test func `NSM-40 in a session all clients are the manager's name, or parts of it`() {
    let clients = ClientNames(main: "MultiRoute.nABCD", isManaged: true)
    #expect(PortNames.sourceClient(of: clients) == "MultiRoute.nABCD/sources")
    #expect(PortNames.gateClient(of: clients) == "MultiRoute.nABCD/mic")
    #expect(PortNames.guardClient(of: clients) == "MultiRoute.nABCD/guard")
    #expect(PortNames.returnClient(of: clients, place: "deck") == "MultiRoute.nABCD/deck")
    #expect(PortNames.outletClient(of: clients, route: "main") == "MultiRoute.nABCD/main-out")
  }

  @Test(arguments: [40, 55, 60])
  func `NSM-41 a long name of a manager stays whole, and its parts stay different`(bytes: Int) {
    let id = String(repeating: "i", count: bytes)
    let clients = ClientNames(main: id, isManaged: true)
    let names = [
      PortNames.sourceClient(of: clients), PortNames.gateClient(of: clients),
      PortNames.guardClient(of: clients), PortNames.returnClient(of: clients, place: "main-room"),
      PortNames.outletClient(of: clients, route: "main-room"),
    ]
    #expect(Set(names).count == names.count)
    for name in names { #expect(name.hasPrefix(id + "/") && name.utf8.count <= 63) }
  }

  @Test func `NSM-41 a manager's name becomes a socket's name, and two names never one`() throws {
    var graph = try GraphFile.parse("multiroute: 1", path: "g.yaml")
    var names: Set<String> = []
    let ids = [
      "MultiRoute.nABCD", "Multi Route", "Multi_Route", "Multi/Route", ".hidden", "é", " ",
      String(repeating: "x", count: 60), String(repeating: "x", count: 59),
    ]
    for id in ids {
      graph.takeManagedName(id)
      #expect(graph.clientNames == ClientNames(main: id, isManaged: true))
      _ = try SocketPath.path(hostName: graph.name, directory: "/run/user/1000/multiroute")
      names.insert(graph.name)
    }
    #expect(names.count == ids.count)
    #expect(names.isSuperset(of: ["MultiRoute.nABCD", "Multi_Route"]))
  }

  @Test func `people read left and right, or numbers`() {
    #expect(PortNames.pretty("Mic", channel: 0, of: 1) == "Mic")
    #expect(PortNames.pretty("Main PA", channel: 0, of: 2) == "Main PA left")
    #expect(PortNames.pretty("Main PA", channel: 1, of: 2) == "Main PA right")
    #expect(PortNames.pretty("Choir", channel: 2, of: 4) == "Choir 3")
  }
}
