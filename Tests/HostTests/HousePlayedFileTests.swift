// SPDX-License-Identifier: MIT

import AudioFiles
import ControlProtocol
import ControlSocket
import FoundationEssentials
import Glibc
import GraphFiles
import JACK
import TestSupport
import Testing

@testable import Host

/// Files that the host plays for programs, in their sessions.
@Suite struct HousePlayedFileTests {
  private let folder: String

  init() throws {
    folder = "/tmp/multiroute-played-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  /// A file whose frames count up to a half; all of them are read when it is opened.
  private func ramp(_ name: String = "ramp.wav", frames: Int = 2_048) throws -> String {
    let path = "\(folder)/\(name)"
    let writer = try AudioFileWriter(
      path: path,
      format: .wavFloat32,
      sampleRateHz: 48_000,
      channels: 1,
    )
    let samples = (0..<frames).map { Float($0 + 1) / Float(2 * frames) }
    try writer.write(samples.span)
    try writer.close()
    return path
  }

  private func end() { try? FileManager.default.removeItem(atPath: folder) }

  /// Opens a session with a file and activates it.
  private func play(
    _ path: String,
    _ house: House,
    _ more: String = #","category":"playback","options":["mixWithOthers"]"#,
    app: String = "say",
    connection: UInt64 = 1,
  ) async throws {
    let params = #"{"app":"\#(app)","file":"\#(path)","routes":["main"],"channels":1\#(more)}"#
    let answer = try await house.call("openSession", params, connection: connection)
    #expect(answer["strip"] == .string(app))
    try await house.call("activateSession", #"{"session":"\#(app)"}"#, connection: connection)
  }

  private func cycles(_ count: Int, _ house: House) async {
    await house.play { server in for _ in 0..<count { server.presence?.cycle() } }
  }

  private func heard(_ house: House) async -> [Float] {
    await house.host.run { _ in house.server.presence?.heard ?? [] }
  }

  /// The samples from a frame on that are no silence.
  private func loud(_ house: House, from frame: Int) async -> [Float] {
    var loud: [Float] = []
    for sample in await heard(house)[frame...] where sample != 0 { loud.append(sample) }
    return loud
  }

  @Test
  func `a source that starts after the end of its file is an error of the graph with its line`()
    throws
  {
    defer { end() }
    let path = try ramp(frames: 24_000)
    func faults(_ start: String) throws -> String? {
      let text = """
        multiroute: 1
        sources:
          music:
            file: \(path)
            start: \(start)
        """
      do throws(GraphFileErrors) {
        _ = try GraphFile.parse(text, path: "g.yaml", files: .audio)
        return nil
      } catch {
        return error.description
      }
    }
    #expect(try faults("499 ms") == nil)
    #expect(
      try faults("501 ms")
        == "g.yaml:5:12: error: start: 501 ms is after the end of the file; allowed: 0 ms … 500 ms"
    )
  }

  /// Waits until the thread that reads ahead has told of the end of a file.
  private func waitForEnd(_ house: House, strip: String = "say") async throws {
    var events: [ControlEvent] = []
    for _ in 0..<2_000 {
      await house.settle()
      events += await house.events()
      if events.contains(where: { $0.payload == .fileEnded(.init(strip: strip)) }) { return }
      // The thread looks for ends every 20 ms.
      try await Task.sleep(for: .milliseconds(5))
    }
    Issue.record("no end within 10 s: \(events.map(\.message))")
  }

  @Test func `a file is heard from its first frame to its last, each once`() async throws {
    let file = try ramp()
    try await House.with(House.requestGraph) { house in
      try await play(file, house)
      await cycles(20, house)
      let sound = await heard(house).filter { $0 != 0 }
      #expect(sound.count == 2_048)
      #expect(sound.first == 1.0 / 4_096 && sound.last == 0.5)
      #expect(zip(sound, sound.dropFirst()).allSatisfy { abs($1 - $0 - 1.0 / 4_096) < 1e-6 })
      try await waitForEnd(house)
      let session = await house.status.sessions.first { $0.app == "say" }
      #expect(session?.active == false)
    }
    end()
  }

  @Test func `a file waits for its activation, and its session is not active before`() async throws
  {
    let file = try ramp()
    try await House.with(House.requestGraph) { house in
      try await house.call(
        "openSession",
        #"{"app":"say","file":"\#(file)","category":"playback","routes":["main"]}"#,
      )
      await cycles(20, house)
      #expect(await heard(house).allSatisfy { $0 == 0 })
      #expect(await house.status.sessions.first { $0.app == "say" }?.active == false)
      try await house.call("activateSession", #"{"session":"say"}"#)
      await cycles(20, house)
      #expect(await heard(house).contains { $0 != 0 })
    }
    end()
  }

  private func ownPorts(_ house: House) async -> Set<String> {
    await house.host.run { _ in house.server.presence?.ownPorts ?? [] }
  }

  @Test func `one request opens a session, activates it and plays its file, which passes no port`()
    async throws
  {
    let file = try ramp()
    try await House.with(House.requestGraph) { house in
      let before = await ownPorts(house)
      let answer = try await house.call(
        "openSession",
        #"{"app":"say","file":"\#(file)","category":"playback","routes":["main"],"activates":true}"#,
      )
      #expect(answer["strip"] == "say")
      #expect(await ownPorts(house) == before)
      await cycles(20, house)
      #expect(await heard(house).contains(0.5))
      try await waitForEnd(house)
    }
    end()
  }

  @Test func `a session that may not be activated is not opened by a request for both`()
    async throws
  {
    let file = try ramp()
    try await House.with(House.requestGraph) { house in
      try await house.call("simulate", #"{"event":"interruptionBegin","priorityClass":"phone"}"#)
      let before = await house.status
      let refused = await #expect(throws: Refusal.self) {
        try await house.call(
          "openSession",
          #"{"app":"say","file":"\#(file)","category":"playback","activates":true}"#,
        )
      }
      #expect(refused?.message.contains("ACT-4") == true, "\(refused?.message ?? "")")
      #expect(await house.status.sessions.map(\.id) == before.sessions.map(\.id))
      #expect(await house.status.strips.map(\.id) == before.strips.map(\.id))
      let fault = await #expect(throws: (any Error).self) {
        try await house.call(
          "openSession",
          #"{"app":"say","systemSounds":true,"activates":true}"#,
        )
      }
      #expect("\(fault.map { "\($0)" } ?? "")".contains("not with systemSounds"))
    }
    end()
  }

  @Test func `INT-5 a file waits while it is interrupted, and goes on where it stopped`()
    async throws
  {
    let file = try ramp(frames: 4_000)
    try await House.with(House.requestGraph) { house in
      try await play(file, house)
      await cycles(4, house)
      try await house.call("simulate", #"{"event":"interruptionBegin","priorityClass":"phone"}"#)
      // The gate closes in the first of these; then the host hears of it, and pauses the file.
      await cycles(2, house)
      await house.standStill(milliseconds: 50)
      await cycles(2, house)
      let before = await heard(house).count
      await house.advance(milliseconds: 500)
      let pause = await loud(house, from: before)
      #expect(pause.isEmpty)
      try await house.call("simulate", #"{"event":"interruptionEnd","priorityClass":"phone"}"#)
      await cycles(20, house)
      // Of its 4,000 frames 1,024 were heard before, and up to 1,024 are lost while it falls silent.
      let rest = await loud(house, from: before)
      #expect(rest.count > 1_900)
      #expect(rest.count < 2_976)
      #expect(rest.last == 0.5)
      try await waitForEnd(house)
    }
    end()
  }

  @Test func `INT-5 a prompt that would not be resumed ends unheard`() async throws {
    let file = try ramp(frames: 4_000)
    try await House.with(House.requestGraph) { house in
      try await play(file, house, #","preset":"navigation""#)
      await cycles(2, house)
      try await house.call("simulate", #"{"event":"interruptionBegin","priorityClass":"phone"}"#)
      await house.advance(milliseconds: 200)
      try await waitForEnd(house)
    }
    end()
  }

  @Test func `SYS-1 a file behind the silent switch plays to its end unheard`() async throws {
    let file = try ramp()
    try await House.with(House.requestGraph) { house in
      try await house.call("simulate", #"{"event":"silentSwitch","on":true}"#)
      try await play(file, house, #","category":"soloAmbient""#)
      await cycles(20, house)
      #expect(await heard(house).allSatisfy { $0 == 0 })
      try await waitForEnd(house)
    }
    end()
  }

  @Test func `SES-6 the sound ends with its program, and so do strip and session`() async throws {
    let file = try ramp(frames: 4_000)
    try await House.with(House.requestGraph) { house in
      try await play(file, house)
      await cycles(4, house)
      await house.hangUp(1)
      await house.advance(milliseconds: 200)
      let sound = await heard(house)
      #expect(sound.suffix(1_000).allSatisfy { $0 == 0 })
      #expect(sound.max() ?? 1 < 0.4, "the file has played on")
      #expect(await house.status.sessions.map(\.id) == ["host"])
      #expect(await house.status.strips.map(\.id) == ["deck-a", "deck-b"])
    }
    end()
  }

  @Test func `ACT-6 the end of a file brings back whom it interrupted`() async throws {
    let file = try ramp()
    try await House.with(House.requestGraph) { house in
      try await house.call("openSession", #"{"app":"music","category":"playback"}"#, connection: 2)
      try await house.call("activateSession", #"{"session":"music"}"#, connection: 2)
      try await play(file, house, #","category":"playback""#)
      let music = await house.status.sessions.first { $0.app == "music" }
      #expect(music?.interruptedBy == .session("say"))
      await cycles(20, house)
      try await waitForEnd(house)
      #expect(await house.status.sessions.first { $0.app == "music" }?.interruptedBy == nil)
    }
    end()
  }

  @Test func `two files sound at once, each to its own end`() async throws {
    let long = try ramp("long.wav", frames: 4_000)
    let short = try ramp("short.wav", frames: 1_000)
    try await House.with(House.requestGraph) { house in
      try await play(long, house)
      try await play(short, house, app: "second", connection: 2)
      await cycles(20, house)
      let sound = await heard(house)
      #expect(sound.count { $0 != 0 } == 4_000)
      // Both begin in the same cycle: the 1,000th frames are a half and an eighth.
      #expect(sound.contains { abs($0 - 0.625) < 1e-6 })
      try await waitForEnd(house)
    }
    end()
  }

  @Test func `RST-1 a file ends with the server, and can be asked for again`() async throws {
    let file = try ramp(frames: 4_000)
    try await House.with(House.requestGraph) { house in
      try await play(file, house)
      await cycles(4, house)
      await house.play { $0.die() }
      #expect(await !house.status.sessions.contains { $0.app == "say" })
      await house.advance(milliseconds: 500)
      await house.play { $0.comeBack() }
      await house.advance(milliseconds: 500)
      try await play(file, house, #","category":"playback","startSeconds":0.08"#)
      await cycles(20, house)
      #expect(await heard(house).count { $0 != 0 } == 4_000 - 3_840)
    }
    end()
  }

  @Test func `a file that cannot be played is refused with its path, and leaves nothing`()
    async throws
  {
    let text = "\(folder)/text.wav"
    try Data("no sound".utf8).write(to: URL(filePath: text))
    try Data().write(to: URL(filePath: "\(folder)/empty.wav"))
    unsafe mkfifo("\(folder)/fifo.wav", 0o600)
    try await House.with(House.requestGraph) { house in
      for (name, part) in [
        ("missing.wav", "No such file"), ("text.wav", "cannot be read as audio"),
        ("empty.wav", "the file is empty"), ("fifo.wav", "a pipe or a device"),
        ("", "is a directory"),
      ] {
        let error = await #expect(throws: Refusal.self) {
          try await house.call("openSession", #"{"app":"say","file":"\#(folder)/\#(name)"}"#)
        }
        let message = error?.message ?? ""
        #expect(message.contains(part) && message.contains("\(folder)/\(name)"), "\(message)")
      }
      let error = await #expect(throws: Refusal.self) {
        try await house.call("openSession", #"{"app":"say","file":"/dev/zero"}"#)
      }
      #expect(error?.message.contains("a pipe or a device") == true)
      #expect(await house.status.sessions.map(\.id) == ["host"])
      #expect(await house.status.strips.map(\.id) == ["deck-a", "deck-b"])
    }
    end()
  }

  @Test func `a client in the network gets no file played, and learns nothing about it`()
    async throws
  {
    let file = try ramp()
    try await House.with(House.requestGraph) { house in
      let guest = ConnectionID(rawValue: 7, grantedRole: .user)
      for path in [file, "\(folder)/missing.wav"] {
        var params = OpenSession.Params(app: "say")
        params.file = path
        let reply = await house.host.router().handle(
          ControlRequest(OpenSession.self, params),
          from: guest,
        )
        #expect(throws: ControlError.self) { _ = try reply.get() }
        if case .failure(let error) = reply {
          #expect(error.message.contains("for a client in the network"), "\(error.message)")
        }
      }
    }
    end()
  }

  @Test func `a connection has 16 files, and a file keeps its strip`() async throws {
    let file = try ramp(frames: 100)
    try await House.with(House.requestGraph) { house in
      for _ in 0..<16 {
        try await house.call("openSession", #"{"app":"a","file":"\#(file)"}"#)
      }
      let error = await #expect(throws: Refusal.self) {
        try await house.call("openSession", #"{"app":"a","file":"\#(file)"}"#)
      }
      #expect(error?.message.contains("16 files of this connection") == true)
      await #expect(throws: Refusal.self) {
        try await house.call("setSessionPorts", #"{"session":"a","ports":["x:*"]}"#)
      }
      try await house.call("closeSession", #"{"session":"a"}"#)
      try await house.call("openSession", #"{"app":"a","file":"\#(file)"}"#)
    }
    end()
  }
}
