// SPDX-License-Identifier: MIT

import NSM
import OSC
import Synchronization
import Testing

/// A session manager for the test, because Debian 12 has none.
///
/// Speaks the protocol's version 1.2.
final class TestManager: Sendable {
  let peer: OSCPeer
  private let messages: Messages

  final class Messages: Sendable {
    let all = Mutex<[OSCPeer.Message]>([])
  }

  init() throws {
    let messages = Messages()
    self.messages = messages
    peer = try OSCPeer { message in messages.all.withLock { $0.append(message) } }
  }

  /// Removes and gives the first message with this path.
  func next(_ path: String) async throws -> OSCPeer.Message {
    let deadline = ContinuousClock.now + .seconds(10)
    while true {
      let found = messages.all.withLock { all -> OSCPeer.Message? in
        guard let place = all.firstIndex(where: { $0.path == path }) else { return nil }
        return all.remove(at: place)
      }
      if let found { return found }
      try #require(ContinuousClock.now < deadline, "no \(path)")
      // The interval between two looks.
      try await Task.sleep(for: .milliseconds(2))
    }
  }
}

@Suite(.timeLimit(.minutes(1)))
struct NSMTests {
  @Test func `a client announces itself, opens, saves, reports changes and switches`() async throws
  {
    let manager = try TestManager()
    let client = try NSMClient(
      url: manager.peer.url,
      application: "MultiRoute delay",
      executable: "multiroute",
      capabilities: [.switch, .dirty],
    )
    var requests = client.requests.makeAsyncIterator()
    let announced = try await manager.next("/nsm/server/announce")
    #expect(
      announced.values.prefix(5) == [
        .text("MultiRoute delay"), .text(":dirty:switch:"), .text("multiroute"), .integer(1),
        .integer(2),
      ]
    )
    for name in ["one", "two"] {
      try manager.peer.send(
        "/nsm/client/open",
        [.text("/tmp/\(name)"), .text("Song"), .text("delay.\(name)")],
        to: announced.sender,
      )
      let request = try #require(await requests.next())
      let project = NSMProject(
        path: "/tmp/\(name)",
        displayName: "Song",
        clientID: "delay.\(name)",
      )
      #expect(request == .open(project))
      try client.confirm(request)
      #expect(try await manager.next("/reply").values == [.text("/nsm/client/open"), .text("OK")])
    }
    try client.setDirty(true)
    _ = try await manager.next("/nsm/client/is_dirty")
    try manager.peer.send("/nsm/client/save", [], to: announced.sender)
    let save = try #require(await requests.next())
    try client.refuse(save, "disk full")
    #expect(
      try await manager.next("/error").values
        == [.text("/nsm/client/save"), .integer(-8), .text("disk full")]
    )
    try client.setDirty(false)
    _ = try await manager.next("/nsm/client/is_clean")
  }

  @Test func `a refused client has the reason`() async throws {
    let manager = try TestManager()
    let client = try NSMClient(
      url: manager.peer.url,
      application: "x",
      executable: "x",
      capabilities: [],
    )
    let announced = try await manager.next("/nsm/server/announce")
    try manager.peer.send(
      "/error",
      [.text("/nsm/server/announce"), .integer(-2), .text("wrong version")],
      to: announced.sender,
    )
    var requests = client.requests.makeAsyncIterator()
    #expect(await requests.next() == nil)
    #expect(client.refusalReason == "wrong version")
  }
}
