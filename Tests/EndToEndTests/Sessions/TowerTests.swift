// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import Foundation
import Glibc
import Sessions
import TestSupport
import Testing

@testable import EndToEndSupport

/// The control tower, heard at a route: silence and ducks, their times, and the return.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct TowerTests {
  @Test(.steppedServer(timeLimitMilliseconds: 1_000))
  func `INT-1 an alarm silences music that goes on sending, with the fade, at the reported frame`()
    async throws
  {
    let music = try await Music.playing()
    let session = try await music.activate(.exclusive(app: "bell", class: .alarm))
    try await music.waitForLevel(0)
    let told = try await music.host.waitForEvents(.gateClosed)
    let recording = music.recorder.captured
    let samples = recording.channels[0]

    let heard = try #require(samples.firstIndex(of: 1))
    let silent = try #require(samples[heard...].firstIndex(of: 0))
    #expect(samples[silent...].allSatisfy { $0 == 0 })
    let lastFull = try #require(samples[..<silent].lastIndex(of: 1))
    // 5 ms are 240 frames.
    #expect((239...241).contains(silent - lastFull), "the fade took \(silent - lastFull) frames")
    #expect(
      zip(samples[lastFull..<silent], samples[(lastFull + 1)...silent]).allSatisfy { $0 > $1 }
    )
    let frame = try #require(told.first?.time.frame)
    #expect(UInt32(truncatingIfNeeded: frame) == recording.firstFrame &+ UInt32(silent))

    _ = try await music.client.call(CloseSession.self, .init(session: session))
    try await music.waitForLevel(1)
    try await music.end()
  }

  @Test(.steppedServer(timeLimitMilliseconds: 1_000))
  func `ACT-3 SES-6 a prompt lowers the music by 14 dB, and a killed one gives it back`()
    async throws
  {
    let music = try await Music.playing()
    let start = music.samples.count
    let prompt = try music.startHolder(["--preset", "navigation"])
    let low = Float(pow(10, -14.0 / 20))
    try await music.waitForLevel(low, tolerance: 0.0001)
    let lowered = music.samples.count
    prompt.send(SIGKILL)
    try await music.waitForLevel(1)
    let samples = music.samples

    let levels = samples.map { 20 * log10(Double($0)) }
    #expect(abs(levels[lowered] + 14) < 0.1)
    let fall = start + (samples[start...].firstIndex { $0 < 1 } ?? 0) - start
    let landed = try #require(levels[fall...].firstIndex { $0 < -13.999 })
    #expect(abs(landed - fall - 9_600) <= 64, "lowering took \(landed - fall) frames")
    let rise = try #require(levels[lowered...].firstIndex { $0 > -13.99 })
    let back = try #require(samples[rise...].firstIndex(of: 1))
    #expect(back - rise <= 4_800, "giving back took \(back - rise) frames")
    // No step over 0.5 dB a period, down and up.
    for index in stride(from: fall, to: min(back, samples.count - 64), by: 64) where index < landed
    {
      #expect(abs(levels[index + 64] - levels[index]) <= 0.5)
    }
    try await music.end()
  }

  @Test(.steppedServer(timeLimitMilliseconds: 1_000), arguments: ["alarm", "phone"])
  func `ACT-4 INT-3 the phone beats the alarm, and the music waits for both`(
    endsFirst: String
  ) async throws {
    let music = try await Music.playing()
    let alarm = try await music.activate(.exclusive(app: "bell", class: .alarm))
    let phone = try await music.activate(.exclusive(app: "call", class: .phone))
    try await music.waitForLevel(0)

    var sessions = try await music.host.status().sessions
    #expect(sessions.first { $0.id == alarm }?.interruptedBy == .session(phone))
    #expect(sessions.first { $0.id == alarm }?.rule?.wrappedValue == .act4)
    #expect(sessions.first { $0.id == "host" }?.active == false)
    let refusal = await #expect(throws: ControlClientError.self) {
      _ = try await music.client.call(ActivateSession.self, .init(session: alarm))
    }
    guard case .refused(let error)? = refusal?.code else {
      Issue.record("not refused: \(String(describing: refusal))")
      return
    }
    // insufficientPriority, '!pri'
    #expect(error.data?.sessionErrorCode == 561_017_449)
    #expect(error.data?.rule == .act4)

    let order = endsFirst == "alarm" ? [alarm, phone] : [phone, alarm]
    let silentFrom = music.samples.count
    _ = try await music.client.call(CloseSession.self, .init(session: order[0]))
    sessions = try await music.host.status().sessions
    #expect(sessions.first { $0.id == "host" }?.interruptedBy == .session(order[1]))
    if endsFirst == "phone" {
      // The alarm's notification says that it should resume, and it may.
      _ = try await music.client.call(ActivateSession.self, .init(session: alarm))
    }
    #expect(music.samples[silentFrom...].allSatisfy { $0 == 0 })
    _ = try await music.client.call(CloseSession.self, .init(session: order[1]))
    try await music.waitForLevel(1)
    try await music.end()
  }

  @Test(.steppedServer(timeLimitMilliseconds: 1_000))
  func `ACT-4 only programs that the graph names may use a class, and why says so`() async throws {
    let music = try await Music.playing()
    let refused = try await Multiroute.run(
      "session",
      "hold",
      "--app",
      "nobody",
      "--class",
      "phone",
      "--host",
      music.host.name,
      in: music.scratch,
    )
    #expect(refused.end == .code(65))
    #expect(refused.standardError.contains("ACT-4"))
    let held = try await Multiroute.run(
      "session",
      "hold",
      "--app",
      "call",
      "--class",
      "phone",
      "--category",
      "playback",
      "--host",
      music.host.name,
      "--",
      try Multiroute.path(),
      "why",
      "host",
      "--host",
      music.host.name,
      in: music.scratch,
    )
    #expect(held.end == .code(0), "\(held.standardError)")
    #expect(held.standardOutput.contains("is interrupted by call"))
    #expect(held.standardOutput.contains("(ACT-4)"))
    try await music.waitForLevel(1)
    try await music.end()
  }

  @Test(.steppedServer(timeLimitMilliseconds: 1_000))
  func `SYS-4 RST-2 calls, unplugged routes and a lost server come and go on demand`()
    async throws
  {
    let music = try await Music.playing()
    var call = Simulate.Params(event: .interruptionBegin)
    call.priorityClass = .phone
    _ = try await music.client.call(Simulate.self, call)
    try await music.waitForLevel(0)
    call.event = .interruptionEnd
    _ = try await music.client.call(Simulate.self, call)
    try await music.waitForLevel(1)

    var plug = Simulate.Params(event: .unplug)
    plug.route = "main"
    _ = try await music.client.call(Simulate.self, plug)
    var status = try await music.host.status()
    #expect(status.routes.first?.available == false)
    let why = try await music.client.call(Why.self, .init(app: "host"))
    #expect(why.sessions.first?.rule == .rte2)
    plug.event = .plug
    _ = try await music.client.call(Simulate.self, plug)
    try await music.waitForLevel(1)
    status = try await music.host.status()
    #expect(status.routes.first?.ports == ["system:playback_1"])

    _ = try await music.client.call(Simulate.self, .init(event: .serverLoss))
    try await music.host.attached(times: 2)
    let sessions = try await music.host.status().sessions
    #expect(sessions.map(\.id) == ["host"])
    #expect(sessions.first?.active == true)
    try await music.end()
  }
}
