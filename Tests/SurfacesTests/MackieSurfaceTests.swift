// SPDX-License-Identifier: MIT

import ControlProtocol
import Surfaces
import Synchronization
import Testing

/// A control surface between a tree of parameters and its controllers.
@Suite(.timeLimit(.minutes(1)))
struct MackieSurfaceTests {
  /// A controller that a test plays.
  private final class ScriptedPort: ControllerPort {
    let name = "desk"
    let device = "X-Touch"
    let messages: AsyncStream<MIDIMessage>
    private let stream: AsyncStream<MIDIMessage>.Continuation
    private let sent = Mutex<[[UInt8]]>([])

    init() { (messages, stream) = AsyncStream.makeStream(of: MIDIMessage.self) }

    func send(_ bytes: [UInt8]) { sent.withLock { $0.append(bytes) } }
    func arm(directControl control: DirectControl?) {}

    func play(_ bytes: UInt8...) { stream.yield(MIDIMessage(bytes: bytes, frame: 0)) }
    func unplug() { stream.finish() }

    /// Forgets what the surface has sent.
    func forget() { sent.withLock { $0 = [] } }

    /// Waits until the surface has sent a message with this beginning.
    func hasSent(startingWith bytes: [UInt8]) async -> Bool {
      await MackieSurfaceTests.waitUntil {
        sent.withLock { $0.contains { $0.starts(with: bytes) } }
      }
    }

    /// Waits until the surface has sent a message.
    func isSent(_ bytes: [UInt8]) async -> Bool {
      await MackieSurfaceTests.waitUntil { sent.withLock { $0.contains(bytes) } }
    }
  }

  private static func parameter(
    _ path: String,
    _ type: ParameterType,
    _ value: ParameterValue,
  ) -> ParameterDescription {
    ParameterDescription(
      path: path,
      type: type,
      access: .readWrite,
      description: "",
      value: value,
    )
  }

  private static func tree() -> ScriptedTree {
    ScriptedTree([
      parameter("/route/main/gain", .number, .number(0)),
      parameter("/strip/voice/gain", .number, .number(-10)),
      parameter("/strip/voice/mute", .flag, .flag(false)),
      parameter("/strip/voice/level", .numbers, .numbers([-20, -6.5])),
    ])
  }

  private static func waitUntil(_ condition: () -> Bool) async -> Bool {
    for _ in 0..<500 {
      if condition() { return true }
      // The displays and meters follow the clock.
      try? await Task.sleep(for: .milliseconds(10))
    }
    return false
  }

  @Test func `a unit shows the tree, sets it, and tells events on its display`() async {
    let tree = Self.tree()
    let port = ScriptedPort()
    let surface = MackieSurface(tree: tree, units: [MackieUnit()], order: MackieOrder())
    let serving = Task { await surface.serve(port, asUnit: 0) }
    let running = Task { await surface.run() }
    #expect(await port.isSent([0xE0, 0x00, 0x40]))
    #expect(await port.isSent([0xD0, 0x08]), "the meter")

    port.play(0x90, 0x10, 0x7F)
    #expect(await port.isSent([0x90, 0x10, 0x7F]))
    let muted = ParameterSetting(path: "/strip/voice/mute", value: .flag(true))
    #expect(await Self.waitUntil { tree.settings.contains(muted) })
    for step in UInt8(0)...100 { port.play(0xE0, 0x00, step) }
    port.play(0xE0, 0x70, 0x7F)
    #expect(await port.isSent([0xE0, 0x70, 0x7F]))
    let loud = ParameterSetting(path: "/strip/voice/gain", value: .number(10))
    #expect(await Self.waitUntil { tree.settings.last == loud })

    tree.change("/strip/voice/gain", to: .number(-.infinity))
    #expect(await port.isSent([0xE0, 0x00, 0x00]))
    let names = Array(("voice" + String(repeating: " ", count: 51)).utf8)
    #expect(await port.isSent([0xF0, 0x00, 0x00, 0x66, 0x14, 0x12, 0] + names + [0xF7]))
    let time = EventTime(frame: nil, monotonicNanoseconds: 0, wallSeconds: 0)
    tree.send(
      ControlEvent(.serverLost(.init(server: "default")), time: time, message: "the server is gone")
    )
    let text = Array("the server is gone   ".utf8)
    #expect(await port.isSent([0xF0, 0x00, 0x00, 0x66, 0x14, 0x12, 56] + text + [0xF7]))

    port.unplug()
    await serving.value
    await surface.end()
    await running.value
  }

  @Test func `a unit that is plugged in again is filled again, with what has changed meanwhile`()
    async
  {
    let tree = Self.tree()
    let surface = MackieSurface(tree: tree, units: [MackieUnit()], order: MackieOrder())
    let running = Task { await surface.run() }
    for (gain, fader) in [(-10.0, [0xE0, 0x00, 0x40]), (10, [0xE0, 0x70, 0x7F])]
      as [(Double, [UInt8])]
    {
      tree.change("/strip/voice/gain", to: .number(gain))
      let port = ScriptedPort()
      let serving = Task { await surface.serve(port, asUnit: 0) }
      #expect(await port.isSent(fader))
      port.unplug()
      await serving.value
    }
    await surface.end()
    await running.value
  }

  @Test func `a refused move is told on the display, and the motor returns`() async {
    let tree = Self.tree()
    tree.refuse("/strip/voice/gain")
    let port = ScriptedPort()
    let surface = MackieSurface(tree: tree, units: [MackieUnit()], order: MackieOrder())
    let serving = Task { await surface.serve(port, asUnit: 0) }
    let running = Task { await surface.run() }
    #expect(await port.isSent([0xE0, 0x00, 0x40]))
    // The texts begin after the meters have been turned.
    let names = Array(("voice" + String(repeating: " ", count: 51)).utf8)
    #expect(await port.isSent([0xF0, 0x00, 0x00, 0x66, 0x14, 0x12, 0] + names + [0xF7]))
    port.forget()
    port.play(0xE0, 0x70, 0x7F)
    #expect(await port.isSent([0xE0, 0x70, 0x7F]), "the move is confirmed")
    #expect(await port.isSent([0xE0, 0x00, 0x40]), "the motor returns")
    let text = Array("/strip/voice/gain cannot be set now".utf8)
    #expect(await port.isSent([0xF0, 0x00, 0x00, 0x66, 0x14, 0x12, 56] + text + [0xF7]))
    port.forget()
    #expect(await port.hasSent(startingWith: [0xF0, 0x00, 0x00, 0x66, 0x14, 0x12, 56]), "it ends")
    port.unplug()
    await serving.value
    await surface.end()
    await running.value
  }

  @Test func `a desk that the host does not watch for says so, and tries again`() async {
    let tree = Self.tree()
    tree.takeWatchers(false)
    let port = ScriptedPort()
    let surface = MackieSurface(tree: tree, units: [MackieUnit()], order: MackieOrder())
    let serving = Task { await surface.serve(port, asUnit: 0) }
    let running = Task { await surface.run() }
    let text = Array("too many watch".utf8)
    #expect(await port.hasSent(startingWith: [0xF0, 0x00, 0x00, 0x66, 0x14, 0x12, 56] + text))
    tree.takeWatchers(true)
    #expect(await port.isSent([0xE0, 0x00, 0x40]))
    port.unplug()
    await serving.value
    await surface.end()
    await running.value
  }

  @Test func `MCU-5 the end of the host clears displays and lamps`() async {
    let tree = Self.tree()
    let port = ScriptedPort()
    let surface = MackieSurface(tree: tree, units: [MackieUnit()], order: MackieOrder())
    let serving = Task { await surface.serve(port, asUnit: 0) }
    #expect(await port.isSent([0xE0, 0x00, 0x40]))
    await surface.end()
    #expect(await port.isSent([0xF0, 0x00, 0x00, 0x66, 0x14, 0x62, 0xF7]))
    port.unplug()
    await serving.value
  }
}
