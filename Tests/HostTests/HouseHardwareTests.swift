// SPDX-License-Identifier: MIT

import ControlProtocol
import JACK
import Sessions
import Testing

@testable import Host

/// A host that prefers 256 frames at 48 kHz, and enforces them.
private let graph = """
  multiroute: 1
  name: house
  session:
    category: multiRoute
    options: [mixWithOthers]
    preferred: {ioBufferFrames: 256, sampleRate: 48 kHz}
    enforce: true
  permissions: {default: granted}
  routes:
    main: {type: lineOut, ports: [system:playback_1, system:playback_2]}
    phones: {type: headphones, ports: [system:playback_3, system:playback_4]}
    mic: {type: builtInMic, direction: input, ports: [system:capture_1]}
  sources: {}
  mix: []
  """

extension House {
  /// Opens a session that asks for a buffer and a rate, and activates it.
  fileprivate func activate(
    _ app: String,
    seconds: Double? = nil,
    hz: Int? = nil,
    options: String = #"["mixWithOthers"]"#,
    connection: UInt64 = 1,
  ) async throws {
    var params = #"{"app":"\#(app)","category":"playback","options":\#(options)"#
    if let seconds { params += #","preferredIOBufferSeconds":\#(seconds)"# }
    if let hz { params += #","preferredSampleRateHz":\#(hz)"# }
    try await call("openSession", params + "}", connection: connection)
    try await call("activateSession", #"{"session":"\#(app)"}"#, connection: connection)
  }
}

/// The sample rate and the I/O buffer (HW).
struct HouseHardwareTests {
  @Test func `HW-1 the preferred buffer is set at the attachment`() async throws {
    try await House.with(graph, { $0.setBuffer(frames: 1024) }) { house in
      #expect(house.server.bufferFrames == 256)
      let value = await house.status.hardware.ioBufferFrames
      #expect(value.preferred == 256)
      #expect(value.actual == 256)
    }
  }

  @Test func `HW-3 a size that the driver refuses has the nearest that works, and a reason`()
    async throws
  {
    let prepare: (ScriptedServer) -> Void = { server in
      server.setBuffer(frames: 1024)
      server.refusedFrames = [256]
    }
    try await House.with(graph, prepare) { house in
      let value = await house.status.hardware.ioBufferFrames
      #expect(value.actual != 256)
      #expect(value.reason?.contains("256") == true)
    }
  }

  @Test func `HW-2 a buffer that another program changes is put back`() async throws {
    try await House.with(graph) { house in
      await house.play { $0.setBuffer(frames: 512) }
      #expect(house.server.bufferFrames == 256)
      #expect(await house.status.hardware.ioBufferFrames.actual == 256)
    }
  }

  @Test func `HW-2 two programs never fight for ever`() async throws {
    try await House.with(graph) { house in
      _ = await house.events()
      for _ in 1...6 { await house.play { $0.setBuffer(frames: 512) } }
      #expect(house.server.bufferFrames == 512)
      #expect(await house.kinds().filter { $0 == "gaveWay" }.count >= 1)
      let reason = await house.status.hardware.ioBufferFrames.reason
      #expect(reason?.contains("gave way") == true)
    }
  }

  @Test func `HW-2 after a quiet minute a buffer is put back again`() async throws {
    try await House.with(graph) { house in
      for _ in 1...6 { await house.play { $0.setBuffer(frames: 512) } }
      house.clock.advance(nanoseconds: 120_000_000_000)
      await house.play { $0.setBuffer(frames: 128) }
      #expect(house.server.bufferFrames == 256)
    }
  }

  @Test func `without enforcing, another program's buffer stays`() async throws {
    let graph = graph.replacing("enforce: true", with: "enforce: false")
    try await House.with(graph) { house in
      await house.play { $0.setBuffer(frames: 512) }
      #expect(house.server.bufferFrames == 512)
      #expect(await house.status.hardware.ioBufferFrames.actual == 512)
    }
  }

  @Test func `a server that agrees without acting holds up no interruption`() async throws {
    let prepare: (ScriptedServer) -> Void = { $0.idleFrames = [256] }
    try await House.with(graph, prepare) { house in
      try await house.activate("music", options: "[]")
      await house.play { $0.setBuffer(frames: 512) }
      // The host waits for its size now; the clock stands still.
      try await house.call("simulate", #"{"event":"interruptionBegin","priorityClass":"phone"}"#)
      let session = await house.status.sessions.first { $0.app == "music" }
      #expect(session?.interruptedBy == .simulated(.phone))
    }
  }

  @Test func `HW-2 a size that stays is not said to be put back`() async throws {
    try await House.with(graph) { house in
      _ = await house.events()
      await house.play { server in
        server.idleFrames = Set(1...8_192)
        server.setBuffer(frames: 240)
      }
      await house.advance(milliseconds: 15_000)
      let messages = await house.events().map(\.message)
      #expect(!messages.contains { $0.contains("put back") })
      #expect(messages.contains { $0.hasPrefix("the I/O buffer stays at 240 frames") })
      #expect(await house.status.hardware.ioBufferFrames.actual == 240)
    }
  }

  @Test func `HW-2 with 'enforce: users' a change counts as the user's wish`() async throws {
    let graph = graph.replacing("enforce: true", with: "enforce: users")
    try await House.with(graph) { house in
      _ = await house.events()
      await house.play { $0.setBuffer(frames: 512) }
      #expect(house.server.bufferFrames == 512)
      let value = await house.status.hardware.ioBufferFrames
      #expect(value.preferred == 512)
      #expect(value.reason == "a user set it with another program")
      #expect(await house.events().contains { $0.message.hasPrefix("a user set the I/O buffer") })
      // A session that asks for less is told so (HW-9).
      try await house.call(
        "openSession",
        #"{"app":"a","category":"playback","preferredIOBufferSeconds":0.001334}"#,
      )
      let answer = try await house.call("activateSession", #"{"session":"a"}"#)
      #expect(house.server.bufferFrames == 512)
      #expect(
        answer["ioBufferDuration"]["reason"] == .string("a user set it with another program")
      )
    }
  }

  @Test(arguments: [
    // The host's own act, somebody's change that stays, and one that the host has put back.
    (enforce: "false", others: nil, left: 1_024), ("false", 512, 512), ("true", 512, 512),
  ])
  func `HW-8 a server of another program has its buffer again, or what somebody has set since`(
    enforce: String,
    others: Int?,
    left: Int,
  ) async throws {
    let house = try House(graph.replacing("enforce: true", with: "enforce: \(enforce)")) {
      $0.isOwned = false
      $0.setBuffer(frames: 1_024)
    }
    try await house.host.live()
    await house.settle()
    #expect(house.server.bufferFrames == 256)
    if let others { await house.play { $0.setBuffer(frames: others) } }
    await house.end()
    #expect(house.server.bufferFrames == left)
  }

  @Test func `HW-8 the last wish ends, and the server has the buffer that it had`() async throws {
    let graph = graph.replacing("preferred: {ioBufferFrames: 256, sampleRate: 48 kHz}", with: "")
    let prepare: (ScriptedServer) -> Void = { server in
      server.isOwned = false
      server.setBuffer(frames: 1_024)
    }
    try await House.with(graph, prepare) { house in
      try await house.activate("a", seconds: 0.001_334)
      #expect(house.server.bufferFrames == 64)
      await house.hangUp(1)
      #expect(house.server.bufferFrames == 1_024)
    }
  }

  @Test func `HW-9 an app is told the reason that the status has`() async throws {
    let prepare: (ScriptedServer) -> Void = { $0.refusedFrames = [128] }
    try await House.with(graph, prepare) { house in
      try await house.call(
        "openSession",
        #"{"app":"a","category":"playback","preferredIOBufferSeconds":0.002667}"#,
      )
      let answer = try await house.call("activateSession", #"{"session":"a"}"#)
      let reason = try #require(await house.status.hardware.ioBufferFrames.reason)
      #expect(reason.contains("refused 128"))
      #expect(answer["ioBufferDuration"]["reason"] == .string(reason))
    }
  }

  @Test func `HW-4 the smallest buffer of the active sessions wins`() async throws {
    try await House.with(graph) { house in
      try await house.activate("a", seconds: 0.002_667)
      #expect(house.server.bufferFrames == 128)
      try await house.activate("b", seconds: 0.001_334, connection: 2)
      #expect(house.server.bufferFrames == 64)
      await house.hangUp(2)
      #expect(house.server.bufferFrames == 128)
    }
  }

  @Test func `HW-4 the graph's buffer is back when no session asks any more`() async throws {
    try await House.with(graph) { house in
      try await house.activate("a", seconds: 0.001_334)
      #expect(house.server.bufferFrames == 64)
      await house.hangUp(1)
      #expect(house.server.bufferFrames == 256)
    }
  }

  @Test func `HW-3 the answer to an activation has preferred and actual`() async throws {
    try await House.with(graph) { house in
      try await house.call(
        "openSession",
        #"{"app":"a","category":"playback","preferredIOBufferSeconds":0.01}"#,
      )
      let answer = try await house.call("activateSession", #"{"session":"a"}"#)
      #expect(answer["ioBufferDuration"]["preferred"] == .number(0.01))
      #expect(answer["ioBufferDuration"]["actual"] != .null)
    }
  }

  @Test func `HW-2 another rate restarts the host's own server, and the sessions stay`()
    async throws
  {
    try await House.with(graph) { house in
      let openings = house.server.openings
      let activation = Task { try await house.activate("a", hz: 44_100, options: "[]") }
      for _ in 1...10 { await house.advance(milliseconds: 50) }
      try await activation.value
      #expect(house.server.rateHz == 44_100)
      #expect(house.server.openings == openings + 1)
      let session = await house.status.sessions.first { $0.app == "a" }
      #expect(session?.active == true)
    }
  }

  @Test
  func `a rate that the driver does not run at is refused with a reason, and not tried again`()
    async throws
  {
    let prepare: (ScriptedServer) -> Void = { $0.ratesHz = [48_000] }
    try await House.with(graph, prepare) { house in
      let activation = Task { try await house.activate("a", hz: 44_100, options: "[]") }
      for _ in 1...10 { await house.advance(milliseconds: 50) }
      try await activation.value
      let openings = house.server.openings
      await house.hangUp(1)
      let again = Task {
        try await house.activate("b", hz: 44_100, options: "[]", connection: 2)
      }
      for _ in 1...10 { await house.advance(milliseconds: 50) }
      try await again.value
      #expect(house.server.openings == openings)
      #expect(house.server.rateHz == 48_000)
    }
  }

  @Test func `RTE-1 input and output latency come from JACK's ranges`() async throws {
    let prepare: (ScriptedServer) -> Void = { server in
      server.latencyFrames = ["system:playback_1": 480]
    }
    try await House.with(graph, prepare) { house in
      let value = await house.status.hardware.outputLatency
      #expect(value.actual == 0.01)
    }
  }

  @Test func `RTE-2 a route that is unplugged is reported, and comes back`() async throws {
    try await House.with(graph) { house in
      _ = await house.events()
      try await house.call("simulate", #"{"event":"unplug","route":"phones"}"#)
      #expect(house.server.connections(of: "house:phones_out_1") == [])
      #expect(await house.kinds().contains("routeUnavailable"))
      try await house.call("simulate", #"{"event":"plug","route":"phones"}"#)
      #expect(house.server.isConnected("house:phones_out_1", "system:playback_3"))
      #expect(await house.kinds().contains("routeAvailable"))
    }
  }

  @Test func `a route that is not in the graph cannot be unplugged`() async throws {
    try await House.with(graph) { house in
      await #expect(throws: Refusal.self) {
        try await house.call("simulate", #"{"event":"unplug","route":"none"}"#)
      }
    }
  }

  @Test func `an xrun is counted, with its cause`() async throws {
    try await House.with(graph) { house in
      await house.play { $0.presence?.tell(.xrun(delayMicroseconds: 500, frameTime: 1)) }
      let engine = await house.status.engine
      #expect(engine.xruns == 1)
      #expect(engine.lastXrun?.cause?.contains("not the host") == true)
    }
  }
}

extension String {
  /// The text with every occurrence of another replaced.
  func replacing(_ text: String, with other: String) -> String {
    split(separator: text, omittingEmptySubsequences: false).joined(separator: other)
  }
}
