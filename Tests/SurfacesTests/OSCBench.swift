// SPDX-License-Identifier: MIT

import ControlProtocol
import Glibc
import OSC
import Synchronization
import Testing

@testable import Surfaces

/// A surface with a tree that the test fills, and a transport that keeps what is sent.
final class OSCBench: OSCTransport {
  let tree: ScriptedTree
  let inbox = OSCInbox()
  private let sentPackets = Mutex<[(packet: OSCPacket, client: OSCClient)]>([])

  static let tablet = OSCClient(address: "10.0.0.2", port: 5_000)
  static let phone = OSCClient(address: "10.0.0.3", port: 6_000)
  static let gain = "/strip/deck-a/gain"
  static let fader = "/strip/deck-a/fader"

  init() {
    var parameters: [ParameterDescription] = []
    for name in ["deck-a", "deck-b", "mic"] {
      parameters.append(
        ParameterDescription(
          path: "/strip/\(name)/gain",
          type: .number,
          minimum: -.infinity,
          maximum: 24,
          taper: .fader,
          access: .readWrite,
          description: "",
          value: .number(0),
        )
      )
      parameters.append(
        ParameterDescription(
          path: "/strip/\(name)/mute",
          type: .flag,
          access: .readWrite,
          description: "",
          value: .flag(false),
        )
      )
      parameters.append(
        ParameterDescription(
          path: "/strip/\(name)/level",
          type: .numbers,
          access: .read,
          description: "",
          value: .numbers([-6, -.infinity]),
        )
      )
    }
    parameters.append(
      ParameterDescription(
        path: "/scene/current",
        type: .text,
        access: .readWrite,
        description: "",
        value: .text(""),
      )
    )
    tree = ScriptedTree(parameters)
  }

  static func with(_ body: (OSCBench) async throws -> Void) async throws {
    let bench = OSCBench()
    let surface = OSCSurface(tree: bench.tree, inbox: bench.inbox, transport: bench)
    await surface.begin()
    try await body(bench)
    await surface.end()
  }

  func send(_ packet: OSCPacket, to client: OSCClient) {
    sentPackets.withLock { $0.append((packet, client)) }
  }

  func address(towards client: OSCClient) -> String { "127.0.0.1" }

  func close() async {}

  /// Sends a message to the surface.
  func receive(_ path: String, _ values: OSCValue..., from client: OSCClient = tablet) {
    receive(.message(OSCMessage(path, values)), from: client)
  }

  func receive(_ packet: OSCPacket, from client: OSCClient = tablet) {
    inbox.take(.packet(packet, from: client))
  }

  /// All messages that a client has been sent.
  func sent(to client: OSCClient = tablet) -> [OSCMessage] {
    sentPackets.withLock { sent in
      sent.filter { $0.client == client }.flatMap { $0.packet.messages }
    }
  }

  func wait(_ what: String, until isSo: (OSCBench) -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(10)
    while !isSo(self) {
      try #require(ContinuousClock.now < deadline, "\(what): \(sent())")
      // The interval between two looks.
      try await Task.sleep(for: .milliseconds(1))
    }
  }

  /// Waits until all that was sent before is done: the answer to a question comes after it.
  func settle(_ client: OSCClient = OSCClient(address: "10.0.0.9", port: 1)) async throws {
    let count = sent(to: client).count
    receive("/scene/current", from: client)
    try await wait("the answer") { $0.sent(to: client).count > count }
  }
}
