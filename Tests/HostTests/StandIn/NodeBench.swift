// SPDX-License-Identifier: MIT

import ControlProtocol
import GraphFiles
import InterAppAudio
import JACK
import Logging
import Patchbay

@testable import Host

/// A room of nodes on a scripted server and machine, whose time the test moves.
///
/// Used on the host's control thread only, and by the test while that rests.
final class NodeBench: @unchecked Sendable {
  let server = ScriptedNodeServer()
  let machine = ScriptedMachine()
  /// The events that the room has published.
  private(set) var events: [ControlEvent] = []
  /// The room's reports of stopped nodes.
  private(set) var stops: [Bool] = []
  var isSessionActive = true
  var isAttached = true

  private let house: House
  private let graph: GraphFile
  private lazy var control = Control(
    owner: house.host,
    thread: house.host.thread,
    clock: house.clock,
    logger: Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() },
    present: { [unowned self] in events.append($0) },
  )
  private(set) lazy var room = NodeRoom(
    control: control,
    graph: GraphRoom(graph),
    machine: machine.asNodeMachine,
    server: { [unowned self] in isAttached ? server : nil },
    outside: NodeRoom.Outside(
      isSessionActive: { [unowned self] in isSessionActive },
      check: { _ throws(ControlError) in },
      availabilityChanged: {},
      stopChanged: { [unowned self] in stops.append($0) },
    ),
  )

  /// Makes a room; ``act(_:)`` begins it.
  ///
  /// - Parameters:
  ///   - inserts: The effects of the source `tone`, as a graph file has them.
  ///   - sources: Further sources.
  /// - Throws: Where the graph cannot be read.
  init(_ inserts: String = "[]", sources: String = "") throws {
    let text = """
      multiroute: 1
      name: house
      session: {category: multiRoute, options: [mixWithOthers]}
      routes:
        main: {type: lineOut, ports: [system:playback_1, system:playback_2]}
      sources:
        tone: {tone: {}, channels: 2, inserts: \(inserts)}
      \(sources.isEmpty ? "" : "  " + sources)
      mix: [{from: tone, to: main}]
      """
    house = try House(text)
    graph = house.host.configuration.graph
  }

  /// Makes a room, and begins it.
  ///
  /// - Parameters:
  ///   - inserts: The effects of the source `tone`.
  ///   - sources: Further sources.
  ///   - prepare: Sets server and machine up before.
  /// - Returns: The bench.
  /// - Throws: Where the graph cannot be read.
  static func begun(
    _ inserts: String = "[]",
    sources: String = "",
    _ prepare: @escaping @Sendable (NodeBench) -> Void = { _ in },
  ) async throws -> NodeBench {
    let bench = try NodeBench(inserts, sources: sources)
    await bench.act { bench in
      prepare(bench)
      bench.room.begin()
    }
    await bench.advance(milliseconds: 50)
    return bench
  }

  /// Runs `body` on the control thread, and returns when all of its consequences are done, except those that
  /// wait for time.
  func act(_ body: @escaping @Sendable (NodeBench) -> Void) async {
    await house.host.run { _ in body(self) }
    await house.settle()
  }

  /// Moves the time in steps of the host's timer, with the cycles of 50 ms in each.
  func advance(milliseconds: Int) async {
    for _ in 0..<max(1, milliseconds / 50) {
      await act { $0.server.cycleCount += 10 }
      house.clock.advance(nanoseconds: 50_000_000)
      await act { $0.room.look() }
    }
  }

  /// A node appears on the server.
  func appear(_ node: Node) async {
    await act { bench in
      bench.server.nodes[node.name] = node
      bench.tell(.published(node))
    }
    await advance(milliseconds: 50)
  }

  /// A node vanishes from the server.
  func vanish(_ name: String) async {
    await act { bench in
      guard let node = bench.server.nodes.removeValue(forKey: name) else { return }
      bench.server.links = bench.server.links.filter { !$0.isOf(name) }
      bench.tell(.withdrawn(node))
      for port in node.audioInputs + node.audioOutputs {
        bench.room.take(.portUnregistered(name: port))
      }
    }
  }

  /// Gives the room a change of a node.
  func tell(_ change: RegistrationChange) {
    server.changes.append(change)
    room.take(.graphReordered)
  }

  /// Sets the effects of the source `tone`.
  ///
  /// - Returns: The reason of a refusal; nil without one.
  @discardableResult
  func set(_ nodes: [String], at target: MixTarget = .strip("tone")) async -> String? {
    let outcome = Outcome()
    await act { bench in
      outcome.take { () throws(ControlError) in
        _ = try bench.room.setInserts(SetInserts.Params(target: target, nodes: nodes))
      }
    }
    await advance(milliseconds: 50)
    return outcome.refusal
  }

  /// Bypasses an effect of the source `tone`, or lets it be heard again.
  ///
  /// - Returns: The reason of a refusal; nil without one.
  @discardableResult
  func bypass(_ node: String, _ isBypassed: Bool) async -> String? {
    let outcome = Outcome()
    await act { bench in
      outcome.take { () throws(ControlError) in
        _ = try bench.room.setBypass(
          SetBypass.Params(target: .strip("tone"), node: node, bypassed: isBypassed)
        )
      }
    }
    await advance(milliseconds: 50)
    return outcome.refusal
  }

  private final class Outcome: @unchecked Sendable {
    var refusal: String?
    func take(_ body: () throws(ControlError) -> Void) {
      do throws(ControlError) { try body() } catch { refusal = error.message }
    }
  }

  /// The kinds of the events so far.
  var kinds: [String] { events.compactMap { $0.kind?.rawValue } }

  /// The messages of one kind.
  func messages(_ kind: EventKind) -> [String] {
    events.filter { $0.kind == kind }.map(\.message)
  }

  /// The state of the effects of the source `tone`.
  var status: InsertStatus? { room.insertStatuses.first { $0.strip == "tone" } }

  /// The state of an effect.
  func status(of node: String) -> InsertStatus.NodeStatus? {
    status?.nodes.first { $0.name == node }
  }

  /// Whether an effect is in the patch, between the source and the strip.
  func isPatched(_ node: String) -> Bool {
    server.links.contains(
      ConnectionPair(source: "house-sources:tone_1", destination: "\(node):in_1")
    )
      && server.links.contains(
        ConnectionPair(source: "\(node):out_2", destination: "house-tone:return_2")
      )
  }
}

extension ConnectionPair {
  fileprivate func isOf(_ client: String) -> Bool {
    source.hasPrefix("\(client):") || destination.hasPrefix("\(client):")
  }
}
