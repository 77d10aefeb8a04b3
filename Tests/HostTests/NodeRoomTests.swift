// SPDX-License-Identifier: MIT

import ControlProtocol
import Glibc
import InterAppAudio
import JACK
import Patchbay
import Testing

@testable import Host

/// Nodes come and go on a scripted server.
struct NodeRoomTests {
  @Test func `an effect that runs is claimed, patched unheard, and heard`() async throws {
    let bench = try await NodeBench.begun("[fx1]") { $0.server.nodes["fx1"] = .effect("fx1") }
    #expect(bench.server.claimed == ["fx1"])
    #expect(bench.isPatched("fx1"))
    #expect(bench.server.chains[0].wets == [0, 1])
    #expect(
      bench.room.owns(ConnectionPair(source: "house-sources:tone_1", destination: "fx1:in_1"))
    )
  }

  @Test func `a node without a file is waited for, which is said once`() async throws {
    let bench = try await NodeBench.begun("[fx1]")
    await bench.act { $0.room.begin() }
    #expect(bench.kinds == ["nodeGone"])
    await bench.appear(.effect("fx1"))
    #expect(bench.isPatched("fx1"))
  }

  @Test func `an installed effect is started, and patched when it has come`() async throws {
    let bench = try await NodeBench.begun("[fx1]") { $0.machine.install("fx1") }
    #expect(bench.machine.programs.count == 1)
    #expect(bench.kinds == ["nodeStarted"])
    await bench.appear(.effect("fx1"))
    #expect(bench.kinds == ["nodeStarted", "nodeConnected"])
    #expect(bench.isPatched("fx1"))
  }

  @Test(arguments: [("never", 1), ("once", 2), ("always", 4)])
  func `a program that ends at once is started again as its policy says`(
    _ policy: String,
    _ starts: Int,
  ) async throws {
    let bench = try await NodeBench.begun("[{name: fx1, restart: \(policy)}]") {
      $0.machine.install("fx1")
    }
    // The waits are 0.5 s, 1 s and 2 s.
    for _ in 0..<3 {
      await bench.act { $0.machine.programs.last?.hasEnded = true }
      await bench.advance(milliseconds: 3_000)
    }
    #expect(bench.machine.programs.count == starts)
  }

  @Test func `the end of a program is reported with its reason`() async throws {
    let bench = try await NodeBench.begun("[fx1]") { $0.machine.install("fx1") }
    await bench.act {
      $0.machine.programs[0].end = "ended with status 3"
      $0.machine.programs[0].hasEnded = true
    }
    await bench.advance(milliseconds: 50)
    #expect(bench.messages(.nodeGone).first?.hasSuffix(": ended with status 3") == true)
  }

  @Test func `an effect that dies is bypassed and started again after half a second`() async throws
  {
    let bench = try await NodeBench.begun("[fx1]") {
      $0.machine.install("fx1")
      $0.server.nodes["fx1"] = .effect("fx1")
    }
    await bench.vanish("fx1")
    #expect(bench.server.chains[0].wet == 0)
    #expect(bench.messages(.nodeGone) == ["node 'fx1' is gone; it is bypassed"])
    await bench.advance(milliseconds: 450)
    #expect(bench.machine.programs.isEmpty)
    await bench.advance(milliseconds: 50)
    #expect(bench.machine.programs.count == 1)
  }

  @Test func `a node that comes by itself while the host waits for it is not started again`()
    async throws
  {
    let bench = try await NodeBench.begun("[fx1]") {
      $0.machine.install("fx1")
      $0.server.nodes["fx1"] = .effect("fx1")
    }
    await bench.vanish("fx1")
    await bench.appear(.effect("fx1"))
    await bench.advance(milliseconds: 1_000)
    #expect(bench.machine.programs.isEmpty)
    #expect(bench.isPatched("fx1"))
  }

  @Test func `of two nodes of one name the other takes over`() async throws {
    let bench = try await NodeBench.begun("[fx]") {
      $0.server.nodes["one"] = .effect("one", name: "fx")
      $0.server.nodes["two"] = .effect("two", name: "fx")
    }
    #expect(bench.isPatched("one"))
    #expect(bench.server.claimed == ["one"])
    await bench.vanish("one")
    await bench.advance(milliseconds: 50)
    #expect(bench.isPatched("two"))
  }

  @Test func `nodes are patched anew on the next server`() async throws {
    let bench = try await NodeBench.begun("[fx1]") { $0.server.nodes["fx1"] = .effect("fx1") }
    await bench.act {
      $0.server.links = []
      $0.server.chains = [ScriptedChain(.strip("tone"))]
      $0.room.begin()
    }
    await bench.advance(milliseconds: 50)
    #expect(bench.isPatched("fx1"))
    #expect(bench.server.chains[0].wet == 1)
  }

  @Test func `nodes are left alone while the host is away from its server`() async throws {
    let bench = try await NodeBench.begun("[fx1]") { $0.server.nodes["fx1"] = .effect("fx1") }
    await bench.act { $0.isAttached = false }
    let links = bench.server.links
    await bench.act { $0.room.settle() }
    #expect(bench.server.links == links)
    #expect(await bench.set(["fx1"])?.contains("not attached") == true)
  }

  // MARK: - Access

  @Test func `IAA-3 a node without mixWithOthers is refused, and not patched`() async throws {
    let bench = try await NodeBench.begun("[fx1]") {
      $0.server.nodes["fx1"] = .effect("fx1") { $0.mixesWithOthers = false }
    }
    #expect(!bench.isPatched("fx1"))
    #expect(bench.messages(.nodeFault).first?.contains("IAA-3") == true)
    #expect(bench.status(of: "fx1")?.fault?.contains("mixWithOthers") == true)
  }

  @Test func `IAA-4 a node waits until the host's session is active`() async throws {
    let bench = try await NodeBench.begun("[fx1]") {
      $0.isSessionActive = false
      $0.server.nodes["fx1"] = .effect("fx1")
    }
    #expect(bench.server.claimed.isEmpty)
    await bench.act { $0.isSessionActive = true }
    await bench.advance(milliseconds: 100)
    #expect(bench.isPatched("fx1"))
    #expect(bench.server.descriptions.map(\.isSessionActive) == [false, true])
  }

  @Test func `IAA-4 a node that is connected stays so while the host is interrupted`() async throws
  {
    let bench = try await NodeBench.begun("[fx1]") { $0.server.nodes["fx1"] = .effect("fx1") }
    await bench.act { $0.isSessionActive = false }
    await bench.advance(milliseconds: 100)
    #expect(bench.isPatched("fx1"))
  }

  @Test func `a node that another host has is refused in its own words`() async throws {
    let bench = try await NodeBench.begun("[fx1]") {
      $0.server.claimFailure = InterAppAudioError(.tooManyInstances, "node 'fx1' is elsewhere")
      $0.server.nodes["fx1"] = .effect("fx1")
    }
    #expect(bench.messages(.nodeFault).first?.hasPrefix("node 'fx1' is elsewhere") == true)
    #expect(!bench.isPatched("fx1"))
  }

  @Test func `a node that loses its permission is taken out and given up`() async throws {
    let bench = try await NodeBench.begun("[fx1]") { $0.server.nodes["fx1"] = .effect("fx1") }
    await bench.act { bench in
      let node = Node.effect("fx1") { $0.hasEntitlement = false }
      bench.server.nodes["fx1"] = node
      bench.tell(.changed(node))
    }
    await bench.advance(milliseconds: 50)
    #expect(!bench.isPatched("fx1"))
    #expect(bench.server.claimed.isEmpty)
  }

  // MARK: - Requests

  @Test func `effects are set live, and unknown ones refused with those that there are`()
    async throws
  {
    let bench = try await NodeBench.begun { $0.server.nodes["fx1"] = .effect("fx1") }
    #expect(await bench.set(["fx1"]) == nil)
    #expect(bench.isPatched("fx1"))
    let refusal = await bench.set(["nothing"])
    #expect(refusal?.contains("there is no node 'nothing'") == true)
    #expect(refusal?.contains("fx1") == true)
  }

  @Test func `a node twice, the host itself and a source are refused as effects`() async throws {
    let bench = try await NodeBench.begun {
      $0.server.nodes["fx1"] = .effect("fx1")
      $0.server.nodes["synth"] = .effect("synth", kind: .generator)
    }
    #expect(await bench.set(["fx1", "fx1"])?.contains("twice") == true)
    #expect(await bench.set(["house"])?.contains("the host itself") == true)
    #expect(await bench.set(["synth"])?.contains("takes no audio") == true)
    #expect(bench.server.links.isEmpty)
  }

  @Test func `a node is in one place only`() async throws {
    let bench = try await NodeBench.begun("[fx1]") { $0.server.nodes["fx1"] = .effect("fx1") }
    let refusal = await bench.set(["fx1"], at: .route("main"))
    #expect(refusal?.contains("in strip 'tone' already") == true)
  }

  @Test func `a removed effect's program ends after two seconds, by force after five more`()
    async throws
  {
    let bench = try await NodeBench.begun("[fx1]") { $0.machine.install("fx1") }
    await bench.appear(.effect("fx1"))
    await bench.set([])
    #expect(bench.server.claimed.isEmpty)
    await bench.advance(milliseconds: 1_800)
    #expect(bench.machine.programs[0].signals.isEmpty)
    await bench.advance(milliseconds: 250)
    #expect(bench.machine.programs[0].signals == [SIGTERM])
    await bench.advance(milliseconds: 5_000)
    #expect(bench.machine.programs[0].signals.contains(SIGKILL))
  }

  @Test func `an effect that is put in again at once keeps its program`() async throws {
    let bench = try await NodeBench.begun("[fx1]") { $0.machine.install("fx1") }
    await bench.appear(.effect("fx1"))
    await bench.set([])
    await bench.set(["fx1"])
    await bench.advance(milliseconds: 8_000)
    #expect(bench.machine.programs.count == 1)
    #expect(bench.machine.programs[0].signals.isEmpty)
    #expect(bench.isPatched("fx1"))
  }

  @Test func `a bypassed effect is out of the patch until it is heard again`() async throws {
    let bench = try await NodeBench.begun("[fx1]") { $0.server.nodes["fx1"] = .effect("fx1") }
    await bench.bypass("fx1", true)
    #expect(!bench.isPatched("fx1"))
    #expect(bench.server.chains[0].wet == 0)
    await bench.bypass("fx1", false)
    #expect(bench.isPatched("fx1"))
    #expect(await bench.bypass("fx2", true)?.contains("has no effect 'fx2'") == true)
  }

  @Test func `a node's request to the transport is carried out and published`() async throws {
    let bench = try await NodeBench.begun("[fx1]") { $0.server.nodes["fx1"] = .effect("fx1") }
    await bench.act { $0.tell(.remoteControl(.effect("fx1"), .rewind)) }
    #expect(bench.server.orders == [.rewind])
    #expect(bench.messages(.remoteControl) == ["node 'fx1' asks: rewind"])
  }

  @Test func `the host's end gives nodes up, and ends what it has started`() async throws {
    let bench = try await NodeBench.begun("[fx1]") { $0.machine.install("fx1") }
    await bench.appear(.effect("fx1"))
    await bench.act { $0.room.end() }
    #expect(bench.server.claimed.isEmpty)
    #expect(bench.machine.programs[0].signals == [SIGTERM])
  }
}
