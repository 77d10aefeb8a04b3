// SPDX-License-Identifier: MIT

import ControlProtocol
import Glibc
import GraphFiles
import InterAppAudio
import JACK
import Patchbay
import Testing

@testable import Host

/// Faulty nodes (IAA-6), on a scripted server.
struct NodeRoomFaultTests {
  private static let link = ConnectionPair(source: "fx1:out_1", destination: "house-tone:return_1")

  private func bench(pid: Int32? = nil, restart: String = "always") async throws -> NodeBench {
    try await NodeBench.begun("[{name: fx1, restart: \(restart)}]") {
      $0.server.nodes["fx1"] = .effect("fx1", pid: pid)
    }
  }

  @Test func `a node that is stopped is left out until it continues`() async throws {
    let bench = try await bench(pid: 4711)
    await bench.act { $0.machine.stopped = [4711] }
    await bench.advance(milliseconds: 50)
    #expect(bench.server.chains[0].wet == 0)
    #expect(bench.room.haveStopped)
    #expect(bench.status(of: "fx1")?.fault?.contains("until it continues") == true)
    await bench.act { $0.machine.stopped = [] }
    await bench.advance(milliseconds: 100)
    #expect(bench.server.chains[0].wet == 1)
    #expect(bench.status(of: "fx1")?.fault == nil)
    #expect(bench.stops == [false, true, false])
  }

  @Test func `a stopped node that the host has started is ended`() async throws {
    let bench = try await NodeBench.begun("[fx1]") { $0.machine.install("fx1") }
    await bench.appear(.effect("fx1", pid: 100))
    await bench.act { $0.machine.stopped = [100] }
    await bench.advance(milliseconds: 50)
    #expect(bench.machine.programs[0].signals == [SIGKILL])
  }

  @Test func `a stopped node is never patched around`() async throws {
    let bench = try await bench(pid: 4711)
    await bench.act { $0.machine.stopped = [4711] }
    await bench.advance(milliseconds: 50)
    let links = bench.server.links
    await bench.bypass("fx1", true)
    #expect(bench.server.links == links)
  }

  @Test func `ports that cannot be connected three times bypass their node`() async throws {
    let bench = try await NodeBench.begun("[fx1]") {
      $0.server.refusal = JACKError(.noSuchPort, call: "jack_connect", subject: "fx1:in_1")
      $0.server.nodes["fx1"] = .effect("fx1")
    }
    await bench.advance(milliseconds: 200)
    #expect(bench.messages(.nodeFault).count == 1)
    #expect(bench.status(of: "fx1")?.fault?.hasPrefix("cannot connect") == true)
    let attempts = bench.server.attempts
    await bench.advance(milliseconds: 200)
    #expect(bench.server.attempts == attempts)
    await bench.act { $0.server.refusal = nil }
    await bench.bypass("fx1", false)
    #expect(bench.isPatched("fx1"))
  }

  @Test func `an effect with other channels is bypassed, and said so once`() async throws {
    let bench = try await NodeBench.begun("[fx1]") {
      $0.server.nodes["fx1"] = .effect("fx1", inputs: 3)
    }
    await bench.advance(milliseconds: 100)
    #expect(bench.messages(.nodeFault).count == 1)
    #expect(bench.messages(.nodeFault)[0].contains("channels"))
    #expect(bench.server.links.isEmpty)
  }

  @Test func `effects that a user takes apart are left so until they are set again`() async throws {
    let bench = try await bench()
    await bench.act { bench in
      bench.server.links.remove(Self.link)
      bench.room.take(
        .portsDisconnected(source: Self.link.source, destination: Self.link.destination)
      )
    }
    // The sound goes on without effects at once; the reason shows within a second.
    #expect(bench.server.chains[0].wet == 0)
    #expect(bench.status?.leftAlone == false)
    await bench.advance(milliseconds: 1_000)
    #expect(bench.status?.leftAlone == true)
    #expect(bench.messages(.nodeFault).first?.hasPrefix("a user has taken the effects") == true)
    await bench.bypass("fx1", false)
    #expect(bench.isPatched("fx1"))
    #expect(bench.status?.leftAlone == false)
  }

  @Test func `a link that is made again before its loss is read counts as never lost`() async throws
  {
    let bench = try await bench()
    await bench.act { bench in
      bench.room.take(
        .portsDisconnected(source: Self.link.source, destination: Self.link.destination)
      )
    }
    #expect(bench.server.chains[0].wet == 1)
    await bench.advance(milliseconds: 1_000)
    #expect(bench.status?.leftAlone == false)
    #expect(bench.messages(.nodeFault).isEmpty)
  }

  @Test func `links that go with their node are no user's act`() async throws {
    let bench = try await bench()
    await bench.act { bench in
      bench.server.links.remove(Self.link)
      bench.room.take(
        .portsDisconnected(source: Self.link.source, destination: Self.link.destination)
      )
    }
    await bench.vanish("fx1")
    await bench.advance(milliseconds: 1_500)
    #expect(bench.status?.leftAlone == false)
    #expect(bench.messages(.nodeFault).isEmpty)
  }

  @Test func `eight overruns within two seconds bypass an effect, and it is tried again`()
    async throws
  {
    let bench = try await bench()
    for _ in 0..<7 { await bench.act { $0.tell(.overran(.effect("fx1"), count: 1)) } }
    #expect(bench.messages(.nodeFault).isEmpty)
    await bench.act { $0.tell(.overran(.effect("fx1"), count: 1)) }
    await bench.advance(milliseconds: 50)
    #expect(bench.messages(.nodeFault).first?.hasSuffix("tried again in 5 s") == true)
    #expect(!bench.isPatched("fx1"))
    await bench.advance(milliseconds: 5_000)
    #expect(bench.isPatched("fx1"))
    #expect(bench.messages(.mixChanged) == ["effect 'fx1' was too late, and is tried again"])
  }

  @Test func `overruns over a longer time are none`() async throws {
    let bench = try await bench()
    for _ in 0..<12 {
      await bench.act { $0.tell(.overran(.effect("fx1"), count: 1)) }
      await bench.advance(milliseconds: 400)
    }
    #expect(bench.messages(.nodeFault).isEmpty)
  }

  @Test func `a late effect whose policy is never is bypassed until it is set again`() async throws
  {
    let bench = try await bench(restart: "never")
    for _ in 0..<8 { await bench.act { $0.tell(.overran(.effect("fx1"), count: 1)) } }
    await bench.advance(milliseconds: 6_000)
    #expect(bench.status(of: "fx1")?.fault?.hasSuffix("until it is set again") == true)
    await bench.bypass("fx1", false)
    #expect(bench.isPatched("fx1"))
  }

  @Test
  func `a strip that goes on without its nodes is reported, and its node in the end bypassed`()
    async throws
  {
    let bench = try await bench()
    for _ in 0..<30 {
      await bench.act { $0.server.chains[0].missCount += 1 }
      await bench.advance(milliseconds: 50)
    }
    #expect(bench.messages(.nodeLate).count == 1)
    #expect(bench.messages(.nodeFault).first?.contains("does not hear it in time") == true)
  }

  @Test func `misses that a node's end explains are forgiven`() async throws {
    let bench = try await bench()
    await bench.act { $0.server.chains[0].missCount = 5 }
    await bench.advance(milliseconds: 50)
    await bench.vanish("fx1")
    await bench.advance(milliseconds: 1_000)
    #expect(bench.messages(.nodeLate).isEmpty)
  }
}

/// The words of faults, and the states of nodes: pure values.
struct NodeValueTests {
  private let use = UsedNode(.init(name: "fx"))

  @Test func `a fault says how the node goes on`() {
    let late = NodeFault.late(.overruns, .retried(afterSeconds: 10))
    #expect(late.sentence.hasSuffix("; it is bypassed, and tried again in 10 s"))
    #expect(late.retrySeconds == 10)
    #expect(late.isLate)
    #expect(NodeFault.late(.overruns, .none).sentence == "its callback takes longer than a period")
    #expect(NodeFault.stopped(isEnded: true).sentence.hasSuffix("and ends it"))
  }

  @Test func `a message names its node once`() {
    let there = InterAppAudioError(.tooManyInstances, "node 'fx' is elsewhere")
    #expect(NodeFault.refused(there).message(of: "fx") == there.description)
    let fault = NodeFault.otherChannels(strip: "a")
    #expect(fault.message(of: "fx") == "node 'fx': it has other channels than strip 'a'")
  }

  @Test func `late for one reason is another fault than late for another`() {
    #expect(
      NodeFault.late(.overruns, .bypassed) != NodeFault.late(.misses(.strip("a")), .bypassed)
    )
  }

  @Test func `a node has a client while it runs, is refused or is stopped`() {
    var node = use
    #expect(node.life.client == nil)
    node.came("fx-01", isAdmitted: true, nowNanoseconds: 5)
    #expect(node.life == .running(.init(name: "fx-01", sinceNanoseconds: 5)))
    node.stop()
    #expect(node.life.isStopped)
    node.refuse()
    #expect(node.life.isRefused)
    let since = node.vanish()
    #expect(since == 5)
    #expect(node.life == .absent)
  }

  @Test func `a missing node cannot be stopped or refused`() {
    var node = use
    node.stop()
    node.refuse()
    #expect(node.life == .absent)
  }

  @Test func `waits between starts double up to half a minute`() {
    let waits = (1...8).map { UsedNode.waitNanoseconds(afterStarts: $0) / 500_000_000 }
    #expect(waits == [1, 2, 4, 8, 16, 32, 60, 60])
  }

  @Test func `after half a minute without a fault a node counts as started once`() {
    var graphUse = use.use
    graphUse.restart = .always
    var node = UsedNode(graphUse)
    let program = ScriptedMachine.Program(1)
    for _ in 0..<5 { node.start(program) }
    node.planRestart(ranSinceNanoseconds: 0, nowNanoseconds: UsedNode.steadyNanoseconds)
    #expect(node.life == .waiting(untilNanoseconds: UsedNode.steadyNanoseconds + 500_000_000))
  }

  @Test func `a node is due once`() {
    var node = use
    node.planRestart(ranSinceNanoseconds: nil, nowNanoseconds: 0)
    let due = [0, 500_000_000, 600_000_000].map { node.isDue(nowNanoseconds: $0) }
    #expect(due == [false, true, false])
  }

  @Test func `a node without a command is reported as missing once`() {
    var node = use
    let first = node.miss()
    let second = node.miss()
    node.beginAnew()
    let third = node.miss()
    #expect([first, second, third] == [true, false, false])
  }

  @Test func `the third failed connection is one too many`() {
    var node = use
    let outcomes = (0..<4).map { _ in node.noteFailedConnection() }
    #expect(outcomes == [false, false, true, false])
  }

  @Test func `effects that stay keep their bypass, those with a fault begin anew`() {
    var chain = InsertChain(place: .strip("s"), slots: [], wet: 1)
    _ = chain.set(["a", "b"], wet: nil)
    _ = chain.setBypass("a", isBypassed: true)
    chain.setFault(.stopped(isEnded: false), of: "b")
    let gone = chain.set(["b", "a"], wet: 0.5)
    #expect(gone.isEmpty)
    #expect(chain.slots.map(\.isBypassed) == [false, true])
    #expect(chain.slots.allSatisfy { $0.fault == nil })
    #expect(chain.wet == 0.5)
  }
}
