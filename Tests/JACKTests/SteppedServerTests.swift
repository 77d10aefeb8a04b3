// SPDX-License-Identifier: MIT

import Glibc
import JACK
import Synchronization
import TestSupport
import Testing

/// Servers whose cycles the test runs.
@Suite(.timeLimit(.minutes(1)))
struct SteppedServerTests {
  /// Samples that are all different, and exact in a Float.
  private static func ramp(_ frames: Int, from first: Int = 1) -> [Float] {
    (first..<first + frames).map { Float($0) }
  }

  /// Connects a capture port to a playback port, by a client that is closed then.
  private static func connect(_ source: String, _ sink: String, on server: String) throws {
    let client = try OpenedClient.open(name: "patch", server: server)
    let result = Result { try client.connection.connect(source, to: sink) }
    client.close()
    _ = try result.get()
  }

  @Test(.steppedServer())
  func `a connected pair brings each sample of 10,000 cycles in its own cycle`() async throws {
    let server = try steppedServer()
    try Self.connect("system:capture_1", "system:playback_1", on: server.name)
    try Self.connect("system:capture_2", "system:playback_1", on: server.name)
    await server.hold()
    let left = Self.ramp(640_000)
    let right = left.map { 0.25 - $0 }
    let played = server.play([left, right])
    let sound = try await server.step(10_000)
    let before = sound.firstFrame - played
    #expect(sound.frames == 640_000)
    #expect(before == 0)
    // Both ports in one: their sum is exact, and so is the silence of the other playback port.
    #expect(difference(sound[0], from: zip(left, right).map { $0 + $1 }) == nil)
    #expect(sound[1].allSatisfy { $0 == 0 })
    let end = server.heard(0, from: played + 639_000).prefix(1_000)
    #expect(difference(end, from: sound[0].suffix(1_000)) == nil)
    // It has played all.
    #expect(try await server.step(2)[0].allSatisfy { $0 == 0 })
  }

  @Test(.steppedServer(frames: 256, channels: 3))
  func `a loop goes on from its begin, and other samples follow at the next cycle`() async throws {
    let server = try steppedServer()
    try Self.connect("system:capture_3", "system:playback_2", on: server.name)
    await server.hold()
    let loop = Self.ramp(100)
    let played = server.play([[], [], loop], loops: true)
    let sound = try await server.step(4)
    let offset = sound.firstFrame - played
    #expect(difference(sound[1], from: (0..<1_024).map { loop[(offset + $0) % 100] }) == nil)
    let next = server.play([[], [], [7]])
    _ = try await server.step()
    let silence: [Float] = Array(repeating: 0, count: 255)
    #expect(difference(server.heard(1, from: next).prefix(256), from: [7] + silence) == nil)
    #expect(server.heard(1, from: next - 1).first == loop[(next - 1 - played) % 100])
  }

  @Test(.steppedServer())
  func `a client that sleeps for 100 ms in its callback loses nothing`() async throws {
    let server = try steppedServer()
    let opened = try OpenedClient.open(name: "sleeper", server: server.name)
    let sleeper = UnsafeMutablePointer<Sleeper>.allocate(capacity: 1)
    unsafe sleeper.initialize(
      to: Sleeper(
        input: try opened.connection.register("in"),
        output: try opened.connection.register("out"),
      )
    )
    let active = unsafe try opened.activate(process: sleeperProcess, context: sleeper)
    try active.connection.connect("system:capture_1", to: "sleeper:in")
    try active.connection.connect("sleeper:out", to: "system:playback_1")
    await server.hold()
    let samples = Self.ramp(64 * 1_000)
    server.play([samples])
    let sound = try await server.step(1_000)
    #expect(difference(sound[0], from: samples) == nil)
    active.close()
    #expect(unsafe sleeper.pointee.sleeps >= 4)
    unsafe sleeper.deinitialize(count: 1)
    unsafe sleeper.deallocate()
  }

  @Test(.steppedServer(frames: 32))
  func `a held server runs the cycles of its steps, and ten a second that count too`() async throws
  {
    let server = try steppedServer()
    let recorder = try Recorder(from: ["system:capture_1"], capacityFrames: 1, server: server.name)
    await server.hold()
    let start = server.frame
    let heard = recorder.heardFrames
    #expect(start % 32 == 0)
    let first = try await server.step(7)
    let second = try await server.step(5)
    #expect(first.frames == 7 * 32)
    #expect(second.frames == 5 * 32)
    let end = server.frame
    // Between the steps there may have been cycles that keep the driver, each of which the client has seen too.
    #expect(end >= start + 12 * 32)
    try await waitUntil("the keeping cycles go on") { server.frame >= end + 3 * 32 }
    await server.hold()
    let frame = server.frame
    #expect(recorder.heardFrames - heard == frame - start)
    // They are slow: a running server has a hundred in that time.
    let clock = ContinuousClock()
    let begin = clock.now
    try await waitUntil("five more of them") { server.frame >= frame + 5 * 32 }
    #expect(clock.now - begin >= .milliseconds(350))
    server.run()
    try await waitUntil("a thousand cycles by themselves") { server.frame >= frame + 32_000 }
    recorder.close()
  }

  @Test(.steppedServer())
  func `steps go on until a condition holds, and fail where it does not`() async throws {
    let server = try steppedServer()
    await server.hold()
    let recorder = try Recorder(
      from: ["system:capture_1"],
      capacityFrames: 640,
      server: server.name
    )
    recorder.start()
    let sound = try await server.run(until: "all is recorded") { recorder.capturedFrames == 640 }
    #expect(sound.frames >= 640)
    #expect(try await server.run(until: "it is so already") { true }.frames == 0)
    await #expect(throws: TestFailure.self) {
      try await server.run(until: "never", atMost: 3) { false }
    }
    recorder.close()
  }

  @Test(.steppedServer())
  func `clients that play and record work as on another server`() async throws {
    let server = try testServer().name
    let samples = Self.ramp(5_000)
    let player = try Player([samples], server: server)
    let recorder = try Recorder(from: player.portNames, capacityFrames: 12_000, server: server)
    recorder.start()
    try await waitUntil("recording") { recorder.capturedFrames > 0 }
    player.start()
    let recording = try await recorder.finish()
    let offset = Int(try #require(player.firstFrame) &- recording.firstFrame)
    #expect(recording.isContinuous)
    #expect(difference(recording.channels[0][offset..<offset + 5_000], from: samples) == nil)
  }

  @Test(.steppedServer(midi: true))
  func `messages arrive at their frames, both ways`() async throws {
    let server = try steppedServer()
    try Self.connect("system:midi_capture_1", "system:midi_playback_1", on: server.name)
    await server.hold()
    let first = server.sendMIDI([0x90, 60, 100])
    let second = server.sendMIDI([0xB0, 7, 127], after: 63)
    let third = server.sendMIDI([0xF8], after: 64 * 3 + 5)
    try await server.step(5)
    #expect(
      server.receivedMIDI() == [
        SteppedMIDI(frame: first, bytes: [0x90, 60, 100]),
        SteppedMIDI(frame: second, bytes: [0xB0, 7, 127]),
        SteppedMIDI(frame: third, bytes: [0xF8]),
      ]
    )
    #expect(third - first == 64 * 3 + 5)
    // netjack would write beyond its memory.
    server.sendMIDI([0xF0, 0x7D, 1, 2, 0xF7])
    await #expect(throws: TestFailure.self) { try await server.step() }
  }

  @Test(.aloneWithJACK)
  func `two servers one after the other, and a lost one fails its steps`() async throws {
    for number in 1...2 {
      let server = try await SteppedServer.start(channels: number)
      try Self.connect("system:capture_\(number)", "system:playback_\(number)", on: server.name)
      await server.hold()
      server.play(Array(repeating: Self.ramp(640), count: number))
      let sound = try await server.step(10)
      #expect(sound.count == number)
      #expect(sound[number - 1] == Self.ramp(640))
      if number == 2 {
        try await server.server.kill()
        await #expect(throws: TestFailure.self) { try await server.step() }
      }
      await server.stop()
    }
  }
}

/// A client that passes its input on, and takes its time every 250th cycle.
struct Sleeper: ~Copyable {
  let input: AudioInputPort
  let output: AudioOutputPort
  var cycles = 0
  var sleeps = 0
}

@c(jacktests_sleep)
func sleeperProcess(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  var isLate = false
  let status = unsafe ProcessScope.run(frames, context, as: Sleeper.self) { sleeper, scope in
    let input = unsafe scope.samples(of: sleeper.pointee.input)
    let output = unsafe scope.samples(of: sleeper.pointee.output)
    for index in 0..<output.count { unsafe output[index] = input[index] }
    unsafe sleeper.pointee.cycles += 1
    isLate = unsafe sleeper.pointee.cycles % 250 == 0
    if isLate { unsafe sleeper.pointee.sleeps += 1 }
  }
  // The callback is late by itself; behind the scope, in which RealtimeSanitizer ends a program that sleeps.
  if isLate { usleep(100_000) }
  return status
}
