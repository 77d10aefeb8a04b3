// SPDX-License-Identifier: MIT

internal import Logging
internal import TestSupport
import Testing

@testable import ServerControl

/// Preferences for a real PipeWire.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct ForeignSettingsPipeWireTests {
  @Test("JACK clients of a PipeWire get the forced rate and frames, then the former ones again")
  func forceAndGiveBack() async throws {
    let pipeWire = try await PipeWireSession()
    defer { pipeWire.stop() }
    let before = try pipeWire.figures()
    let settings = pipeWire.settings()

    try await settings.force(sampleRateHz: 44_100, bufferFrames: 100)
    #expect(try pipeWire.figures() == ["44100", "100"])
    #expect(try pipeWire.setting("clock.force-rate") == "44100")
    #expect(try pipeWire.setting("clock.force-quantum") == "100")

    await settings.giveBack()
    #expect(try pipeWire.setting("clock.force-rate") == "0")
    #expect(try pipeWire.setting("clock.force-quantum") == "0")
    #expect(try pipeWire.figures() == before)
    #expect(before != ["44100", "100"])
  }

  @Test("An earlier forced value comes back, also after two preferences of the host")
  func formerWish() async throws {
    let pipeWire = try await PipeWireSession()
    defer { pipeWire.stop() }
    try pipeWire.set("clock.force-rate", "96000")
    let settings = pipeWire.settings()

    try await settings.force(sampleRateHz: 44_100, bufferFrames: nil)
    #expect(try pipeWire.setting("clock.force-quantum") == "0")
    try await settings.force(sampleRateHz: 32_000, bufferFrames: 64)
    #expect(try pipeWire.figures() == ["32000", "64"])
    // The preference for the frames is gone.
    try await settings.force(sampleRateHz: 32_000, bufferFrames: nil)
    #expect(try pipeWire.setting("clock.force-quantum") == "0")

    await settings.giveBack()
    #expect(try pipeWire.setting("clock.force-rate") == "96000")
  }

  @Test("A later setting of another program is left alone")
  func laterWish() async throws {
    let pipeWire = try await PipeWireSession()
    defer { pipeWire.stop() }
    let settings = pipeWire.settings()
    try await settings.force(sampleRateHz: 44_100, bufferFrames: 64)
    try pipeWire.set("clock.force-rate", "88200")
    await settings.giveBack()
    #expect(try pipeWire.setting("clock.force-rate") == "88200")
    #expect(try pipeWire.setting("clock.force-quantum") == "0")
  }

  @Test("A cancelled task gives back all the same")
  func cancelled() async throws {
    let pipeWire = try await PipeWireSession()
    defer { pipeWire.stop() }
    let settings = pipeWire.settings()
    try await settings.force(sampleRateHz: 44_100, bufferFrames: 64)
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      await settings.giveBack()
    }
    task.cancel()
    await task.value
    #expect(try pipeWire.setting("clock.force-rate") == "0")
    #expect(try pipeWire.setting("clock.force-quantum") == "0")
  }

  @Test("Without a PipeWire the error says so")
  func noPipeWire() async throws {
    let settings = PipeWireSettings(
      logger: Logger(label: "test"),
      environment: ["XDG_RUNTIME_DIR": "/nonexistent"],
    )
    let error = await #expect(throws: ServerControlError.self) {
      try await settings.force(sampleRateHz: 48_000, bufferFrames: nil)
    }
    #expect(error?.description.hasPrefix("PipeWire's settings cannot be reached") == true)
    await settings.giveBack()
  }
}

extension PipeWireSession {
  fileprivate func settings() -> PipeWireSettings {
    PipeWireSettings(logger: Logger(label: "test"), environment: environment)
  }

  /// Rate and buffer size as a JACK client sees them.
  fileprivate func figures() throws -> [String] {
    [try jack("jack_samplerate"), try jack("jack_bufsize")].map {
      $0.split(separator: "\n").first.map(String.init) ?? ""
    }
  }

  fileprivate func set(_ key: String, _ value: String) throws {
    try session.run(["pw-metadata", "-n", "settings", "0", key, value])
  }

  fileprivate func setting(_ key: String) throws -> String? {
    try session.run(["pw-metadata", "-n", "settings", "0", key])
      .split(separator: "value:'").last?.split(separator: "'").first.map(String.init)
  }
}
