// SPDX-License-Identifier: MIT

internal import Logging
internal import TestSupport
import Testing

@testable import ServerControl

/// Preferences for a real jackdbus.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct ForeignSettingsJACKDBusTests {
  @Test("The server restarts at the forced rate and period, then at the former ones")
  func forceAndGiveBack() async throws {
    let jackdbus = try await JACKDBusSession()
    defer { jackdbus.stop() }
    #expect(try jackdbus.figures() == ["48000", "1024"])
    let settings = jackdbus.settings()

    try await settings.force(sampleRateHz: 44_100, bufferFrames: 128)
    #expect(try jackdbus.figures() == ["44100", "128"])
    #expect(try jackdbus.isSet("rate") && jackdbus.isSet("period"))

    await settings.giveBack()
    #expect(try jackdbus.figures() == ["48000", "1024"])
    #expect(try !jackdbus.isSet("rate") && !jackdbus.isSet("period"))
  }

  @Test("A user's choice comes back, be it a setting or the running buffer size")
  func formerChoice() async throws {
    let jackdbus = try await JACKDBusSession(startsServer: false)
    defer { jackdbus.stop() }
    try jackdbus.set("rate", "96000")
    try jackdbus.call("JackControl.StartServer")
    try jackdbus.call("JackControl.SetBufferSize", "uint32:512")
    let settings = jackdbus.settings()

    try await settings.force(sampleRateHz: 44_100, bufferFrames: 64)
    try await settings.force(sampleRateHz: 32_000, bufferFrames: 256)
    #expect(try jackdbus.figures() == ["32000", "256"])

    await settings.giveBack()
    #expect(try jackdbus.figures() == ["96000", "512"])
    #expect(try jackdbus.isSet("rate") && !jackdbus.isSet("period"))
  }

  @Test("A buffer size alone, or a value that is set already, takes no restart")
  func noRestart() async throws {
    let jackdbus = try await JACKDBusSession()
    defer { jackdbus.stop() }
    let settings = jackdbus.settings()
    // A restart would take the period from the setting, and the running size would show it.
    try jackdbus.set("period", "2048")

    try await settings.force(sampleRateHz: 48_000, bufferFrames: 1024)
    try await settings.force(sampleRateHz: 48_000, bufferFrames: nil)
    #expect(try jackdbus.figures() == ["48000", "1024"])
    try await settings.force(sampleRateHz: nil, bufferFrames: 256)
    #expect(try jackdbus.figures() == ["48000", "256"])
    await settings.giveBack()
    #expect(try jackdbus.figures() == ["48000", "1024"])
  }

  @Test("A later setting of another program is left alone")
  func laterWish() async throws {
    let jackdbus = try await JACKDBusSession()
    defer { jackdbus.stop() }
    let settings = jackdbus.settings()
    try await settings.force(sampleRateHz: 44_100, bufferFrames: 128)
    try jackdbus.set("rate", "88200")
    try jackdbus.call("JackControl.SetBufferSize", "uint32:64")
    await settings.giveBack()
    #expect(try jackdbus.figures() == ["44100", "64"])
    #expect(try jackdbus.call("Configure.GetParameterValue", "array:string:driver,rate") == "88200")
  }

  @Test("A server that does not start with our settings keeps none of them")
  func refused() async throws {
    let jackdbus = try await JACKDBusSession()
    defer { jackdbus.stop() }
    // A driver for the next start, that cannot start on a machine without such a card.
    try jackdbus.call(
      "Configure.SetParameterValue",
      "array:string:engine,driver",
      "variant:string:alsa"
    )
    try jackdbus.call(
      "Configure.SetParameterValue",
      "array:string:driver,device",
      "variant:string:hw:no-such-card",
    )
    let error = await #expect(throws: ServerControlError.self) {
      try await jackdbus.settings().force(sampleRateHz: 44_100, bufferFrames: 128)
    }
    #expect(error?.code == .refused)
    #expect(error?.description.contains("StartServer") == true)
    #expect(try !jackdbus.isSet("rate") && !jackdbus.isSet("period"))
  }

  @Test("A jackdbus without a running server is left alone")
  func notStarted() async throws {
    let jackdbus = try await JACKDBusSession(startsServer: false)
    defer { jackdbus.stop() }
    let error = await #expect(throws: ServerControlError.self) {
      try await jackdbus.settings().force(sampleRateHz: 44_100, bufferFrames: 128)
    }
    #expect(error?.code == .noServer)
    #expect(try jackdbus.call("JackControl.IsStarted") == "false")
  }
}

extension JACKDBusSession {
  fileprivate func settings() -> JACKDBusSettings {
    JACKDBusSettings(logger: Logger(label: "test"), environment: environment)
  }

  fileprivate func set(_ setting: String, _ value: String) throws {
    try call(
      "Configure.SetParameterValue",
      "array:string:driver,\(setting)",
      "variant:uint32:\(value)",
    )
  }

  /// Rate and buffer size of the running server.
  fileprivate func figures() throws -> [String] {
    [try call("JackControl.GetSampleRate"), try call("JackControl.GetBufferSize")]
  }

  fileprivate func isSet(_ setting: String) throws -> Bool {
    try session.run([
      "dbus-send", "--session", "--print-reply", "--dest=org.jackaudio.service",
      "/org/jackaudio/Controller", "org.jackaudio.Configure.GetParameterValue",
      "array:string:driver,\(setting)",
    ]).contains("boolean true")
  }
}
