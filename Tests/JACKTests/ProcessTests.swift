// SPDX-License-Identifier: MIT

import JACK
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ProcessTests {
  @Test(.jackServer(frames: 64), arguments: [64, 100, 1024] as [UInt32])
  func `samples arrive unchanged, with the frame time they were played at`(
    frames: UInt32
  ) async throws {
    let server = try testServer().name
    let left = (1...5000).map { Float($0) }
    let right = left.map { -$0 / 3 }
    let player = try Player([left, right], server: server)
    let recorder = try Recorder(from: player.portNames, capacityFrames: 12_000, server: server)
    if try player.connection.bufferFrames != frames {
      try player.connection.setBufferFrames(frames)
    }
    #expect(try player.connection.bufferFrames == frames)
    recorder.start()
    try await waitUntil("recording") { recorder.capturedFrames > 0 }
    player.start()
    let recording = try await recorder.finish()
    let played = try #require(player.firstFrame)
    let offset = Int(played &- recording.firstFrame)
    // Both clients run in the same cycle: a sample played at frame N is heard at frame N.
    #expect(Array(recording.channels[0][offset..<offset + 5000]) == left)
    #expect(Array(recording.channels[1][offset..<offset + 5000]) == right)
    #expect(recording.channels[0][..<offset].allSatisfy { $0 == 0 })
    #expect(recording.channels[0][(offset + 5000)...].allSatisfy { $0 == 0 })
    #expect(player.hasFinished)
  }

  @Test(.jackServer(frames: 128))
  func `the scope knows the cycle, and statistics count it`() async throws {
    let opened = try OpenedClient.open(name: "times", server: try testServer().name)
    let probe = UnsafeMutablePointer<TimeProbe>.allocate(capacity: 1)
    unsafe probe.initialize(to: TimeProbe())
    let active = unsafe try opened.activate(process: timeProcess, context: probe)
    let connection = active.connection
    try await waitUntil("200 cycles") { connection.processStatistics.cycles >= 200 }
    let statistics = connection.processStatistics
    #expect(statistics.maxNanoseconds >= statistics.meanNanoseconds)
    #expect(statistics.totalNanoseconds > 0)
    #expect(statistics.maxStartDelayNanoseconds > 0)
    let now = ClientConnection.nowMicroseconds
    let frameNow = try connection.frame(atMicroseconds: now)
    let back = try connection.microseconds(atFrame: frameNow)
    let twoFramesMicroseconds: Int64 = 42
    #expect(abs(Int64(back) - Int64(now)) <= twoFramesMicroseconds)
    let times = try connection.cycleTimes
    #expect(times.nextMicroseconds > times.startMicroseconds)
    let periodMicroseconds: Float = 128_000 / 48
    #expect(abs(times.periodMicroseconds - periodMicroseconds) < 100)
    #expect(try connection.frameTime &- times.frame < 48_000)
    connection.resetProcessStatistics()
    try await waitUntil("counting anew") { connection.processStatistics.cycles < 200 }
    let outcome = active.close()
    #expect(outcome == .closed)
    let seen = unsafe probe.pointee.faults.load(ordering: .acquiring)
    #expect(seen == 0)
    #expect(unsafe probe.pointee.cycles.load(ordering: .acquiring) >= 200)
    unsafe probe.deinitialize(count: 1)
    unsafe probe.deallocate()
  }

  @Test(.jackServer(frames: 64))
  func `denormals are flushed inside the callback only`() async throws {
    let opened = try OpenedClient.open(name: "denormal", server: try testServer().name)
    let result = UnsafeMutablePointer<DenormalProbe>.allocate(capacity: 1)
    unsafe result.initialize(to: DenormalProbe())
    let active = unsafe try opened.activate(process: denormalProcess, context: result)
    let connection = active.connection
    try await waitUntil("a cycle") { connection.processStatistics.cycles > 0 }
    active.close()
    #expect(unsafe result.pointee.product == 0)
    #expect(unsafe result.pointee.tiny * result.pointee.half > 0)
    unsafe result.deinitialize(count: 1)
    unsafe result.deallocate()
  }

  @Test(.jackServer(frames: 256))
  func `deactivating stops the callback, and the client can be activated again`() async throws {
    let opened = try OpenedClient.open(name: "again", server: try testServer().name)
    let connection = opened.connection
    let probe = UnsafeMutablePointer<TimeProbe>.allocate(capacity: 1)
    unsafe probe.initialize(to: TimeProbe())
    let active = unsafe try opened.activate(process: timeProcess, context: probe)
    try await waitUntil("cycles") { connection.processStatistics.cycles > 3 }
    let stopped = try active.deactivate()
    let count = unsafe probe.pointee.cycles.load(ordering: .acquiring)
    // Nine more cycles of the server.
    try await passFrames(2_400, on: testServer().name)
    #expect(unsafe probe.pointee.cycles.load(ordering: .acquiring) == count)
    let activeAgain = unsafe try stopped.activate(process: timeProcess, context: probe)
    try await waitUntil("cycles again") {
      unsafe probe.pointee.cycles.load(ordering: .acquiring) > count + 3
    }
    activeAgain.close()
    unsafe probe.deinitialize(count: 1)
    unsafe probe.deallocate()
  }
}

struct TimeProbe: ~Copyable {
  var nextFrame: UInt32?
  let cycles = Atomic<Int>(0)
  let faults = Atomic<Int>(0)
}

@c(jacktests_time) @_noLocks @_noAllocation
func timeProcess(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  unsafe ProcessScope.run(frames, context, as: TimeProbe.self) { probe, scope in
    let times = scope.cycleTimes
    let isConsistent =
      scope.frames == frames && times.frame == scope.frameTime
      && times.nextMicroseconds > times.startMicroseconds
      && scope.framesSinceCycleStart < 1 << 20
    if !isConsistent { unsafe probe.pointee.faults.wrappingAdd(1, ordering: .relaxed) }
    unsafe probe.pointee.cycles.wrappingAdd(1, ordering: .releasing)
  }
}

struct DenormalProbe: ~Copyable {
  var tiny: Float = 1.0e-38
  var half: Float = 0.1
  var product: Float = -1
}

@c(jacktests_denormal) @_noLocks @_noAllocation
func denormalProcess(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  unsafe ProcessScope.run(frames, context, as: DenormalProbe.self) { probe, _ in
    unsafe probe.pointee.product = probe.pointee.tiny * probe.pointee.half
  }
}
