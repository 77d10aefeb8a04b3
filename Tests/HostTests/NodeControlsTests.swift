// SPDX-License-Identifier: MIT

import ControlProtocol
import InterAppAudio
import Testing

@testable import Host

/// The parameters of nodes, on a scripted server.
struct NodeControlsTests {
  private static func effect(_ change: (inout Node) -> Void = { _ in }) -> Node {
    var node = Node.effect("fx1", pid: 4_711) {
      $0.parameters = [
        NodeParameter("mix", range: 0...1, description: "the mix", value: 0.5),
        NodeParameter(flag: "on", description: "a switch", isOn: false),
      ]
    }
    change(&node)
    return node
  }

  private static func begun() async throws -> NodeBench {
    try await NodeBench.begun("[fx1]") { $0.server.nodes["fx1"] = effect() }
  }

  private func set(_ values: Double..., of parameter: String = "mix", on bench: NodeBench) async {
    await bench.act { bench in
      for value in values {
        do throws(ControlError) {
          try bench.room.setParameter(parameter, to: value, ofNode: "fx1")
        } catch {
          Issue.record("\(error)")
        }
      }
    }
  }

  private func value(_ parameter: String, _ bench: NodeBench) -> Double? {
    bench.room.parameter(parameter, ofNode: "fx1")?.value
  }

  @Test func `a value is written, and shown at once`() async throws {
    let bench = try await Self.begun()
    #expect(value("mix", bench) == 0.5)
    await set(0.25, on: bench)
    #expect(bench.server.parameters == ["fx1 mix 0.25"])
    #expect(value("mix", bench) == 0.25)
    #expect(bench.room.parameters.map(\.parameter.value) == [0.25, 0])
  }

  @Test func `a burst is folded to the latest value`() async throws {
    let bench = try await Self.begun()
    await set(0, on: bench)
    await set(0.1, 0.2, 0.3, on: bench)
    #expect(bench.server.parameters == ["fx1 mix 0.0"])
    await bench.advance(milliseconds: 50)
    #expect(bench.server.parameters == ["fx1 mix 0.0", "fx1 mix 0.3"])
  }

  @Test func `a node that is started again gets its values again`() async throws {
    let bench = try await Self.begun()
    await set(0.25, on: bench)
    await set(1, of: "on", on: bench)
    await bench.advance(milliseconds: 100)
    await bench.vanish("fx1")
    #expect(value("mix", bench) == nil)
    await bench.appear(Self.effect())
    await bench.advance(milliseconds: 100)
    #expect(bench.server.parameters.suffix(2) == ["fx1 mix 0.25", "fx1 on 1.0"])
    #expect(value("mix", bench) == 0.25)
  }

  @Test func `nothing is written while a node is stopped`() async throws {
    let bench = try await Self.begun()
    await bench.act {
      $0.machine.stopped = [4_711]
      $0.room.watchOnce()
    }
    await set(0.25, on: bench)
    await bench.advance(milliseconds: 200)
    #expect(bench.server.parameters.isEmpty)
    await bench.act {
      $0.machine.stopped = []
      $0.room.watchOnce()
    }
    await bench.advance(milliseconds: 100)
    #expect(bench.server.parameters == ["fx1 mix 0.25"])
  }

  @Test func `a value that another program has set is taken up`() async throws {
    let bench = try await Self.begun()
    var mix = Self.effect().description.parameters[0]
    mix.value = 0.75
    let changed = mix
    await bench.act { $0.tell(.parameterChanged(Self.effect(), changed)) }
    #expect(value("mix", bench) == 0.75)
    #expect(bench.server.parameters.isEmpty)
  }

  @Test func `a value out of the range and an unknown parameter are refused`() async throws {
    let bench = try await Self.begun()
    for (parameter, value) in [("mix", 1.5), ("mix", .nan), ("on", 0.5), ("none", 0)] {
      await bench.act { bench in
        #expect(throws: ControlError.self) {
          try bench.room.setParameter(parameter, to: value, ofNode: "fx1")
        }
      }
    }
    #expect(bench.server.parameters.isEmpty)
  }

  @Test func `a list with a fault is reported once, and the node is used without it`() async throws
  {
    let bench = try await NodeBench.begun("[fx1]") {
      $0.server.nodes["fx1"] = Self.effect { node in
        node.description.parameters = []
        node.parameterFault = "a: it has no range"
      }
    }
    await bench.act { $0.room.begin() }
    #expect(bench.messages(.error).count == 1)
    #expect(bench.messages(.error).first?.contains("a: it has no range") == true)
    #expect(bench.isPatched("fx1"))
  }

  @Test func `the tree has each parameter as its node describes it`() async throws {
    let parameter = NodeParameter(
      "frequency",
      range: 10...20_000,
      unit: "Hz",
      taper: .logarithmic,
      description: "the center",
      value: 440,
    )
    let house = try House(House.requestGraph)
    let snapshot = ParameterSnapshot(
      status: await house.host.status(),
      permissions: [],
      scenes: SceneList(scenes: [], current: nil, safe: []),
      meters: nil,
      nodes: [NodeControl(node: "my eq", parameter: parameter)],
    )
    let instance = try #require(ParameterKind.ofNodes.instances(snapshot).first)
    let shown = ParameterKind.ofNodes.description(of: instance)
    #expect(
      shown
        == ParameterDescription(
          path: "/node/my%20eq/frequency",
          type: .number,
          minimum: 10,
          maximum: 20_000,
          unit: "Hz",
          taper: .logarithmic,
          access: .readWrite,
          description: "the center",
          value: .number(440),
        )
    )
  }
}
