// SPDX-License-Identifier: MIT

import JACK
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct TransportTests {
  @Test(.jackServer(frames: 128))
  func `the transport starts, moves and stops`() async throws {
    let client = try OpenedClient.open(name: "mover", server: try testServer().name).activate()
    let connection = client.connection
    #expect(try connection.transport.state == .stopped)
    try connection.locateTransport(toFrame: 96_000)
    try await waitUntil("located") { try connection.transport.position.frame == 96_000 }
    try connection.startTransport()
    try await waitUntil("rolling") {
      let transport = try connection.transport
      return transport.state == .rolling && transport.position.frame > 96_000
    }
    #expect(try connection.transport.position.sampleRateHz == 48_000)
    try connection.stopTransport()
    try await waitUntil("stopped") { try connection.transport.state == .stopped }
    try connection.repositionTransport(to: TransportPosition(frame: 480))
    try await waitUntil("repositioned") { try connection.transport.position.frame == 480 }
    client.close()
  }

  @Test(.jackServer(frames: 128))
  func `one client at a time is the timebase master`() async throws {
    let server = try testServer().name
    let opened = try OpenedClient.open(name: "master", server: server)
    let state = UnsafeMutablePointer<Timebase>.allocate(capacity: 1)
    unsafe state.initialize(to: Timebase())
    let active = unsafe try opened.activate(process: transportProcess, context: state)
    let other = try OpenedClient.open(name: "rival", server: server).activate()
    let connection = active.connection
    try unsafe connection.becomeTimebaseMaster(timebase, context: state)
    let error = #expect(throws: JACKError.self) {
      try unsafe other.connection.becomeTimebaseMaster(timebase, context: state)
    }
    #expect(error?.code == .timebaseTaken)
    try connection.startTransport()
    try await waitUntil("musical time") { try connection.transport.position.barBeatTick != nil }
    let musical = try #require(try connection.transport.position.barBeatTick)
    #expect(musical.beatsPerMinute == 120)
    #expect(musical.bar >= 1 && musical.beatsPerBar == 4 && musical.ticksPerBeat == 960)
    try await waitUntil("musical time inside the callback") {
      unsafe state.pointee.sawBeat.load(ordering: .acquiring)
    }
    #expect(unsafe state.pointee.newPositions.load(ordering: .acquiring) >= 1)
    try connection.releaseTimebase()
    let release = #expect(throws: JACKError.self) { try connection.releaseTimebase() }
    #expect(release?.code == .refused)
    try unsafe other.connection.becomeTimebaseMaster(timebase, context: state)
    other.close()
    active.close()
    unsafe state.deinitialize(count: 1)
    unsafe state.deallocate()
  }

  @Test(.jackServer(frames: 128))
  func `the transport waits for a client that is not ready`() async throws {
    let opened = try OpenedClient.open(name: "slow", server: try testServer().name)
    let state = UnsafeMutablePointer<Readiness>.allocate(capacity: 1)
    unsafe state.initialize(to: Readiness())
    try unsafe opened.connection.setSync(sync, context: state)
    let active = try opened.activate()
    let connection = active.connection
    try connection.setSyncTimeout(microseconds: 60_000_000)
    try connection.startTransport()
    // JACK asks while the transport is stopped, too.
    try await waitUntil("starting") { try connection.transport.state == .starting }
    let asked = unsafe state.pointee.asked.load(ordering: .acquiring)
    try await waitUntil("asked five times more") {
      unsafe state.pointee.asked.load(ordering: .acquiring) >= asked + 5
    }
    let waiting = try connection.transport.state
    #expect(waiting == .starting)
    unsafe state.pointee.isReady.store(true, ordering: .releasing)
    try await waitUntil("rolling") { try connection.transport.state == .rolling }
    try connection.stopTransport()
    active.close()
    unsafe state.deinitialize(count: 1)
    unsafe state.deallocate()
  }
}

struct Timebase: ~Copyable {
  let newPositions = Atomic<Int>(0)
  let sawBeat = Atomic<Bool>(false)
}

/// 120 beats a minute, four to the bar.
@c(jacktests_timebase) @_noLocks @_noAllocation
func timebase(
  _ state: UInt32,
  _ frames: UInt32,
  _ position: UnsafeMutableRawPointer?,
  _ isNewPosition: Int32,
  _ context: UnsafeMutableRawPointer?,
) {
  unsafe TimebaseScope.run(state, frames, position, isNewPosition, context, as: Timebase.self) {
    timebase,
    scope in
    if scope.isNewPosition {
      unsafe timebase.pointee.newPositions.wrappingAdd(1, ordering: .relaxed)
    }
    let position = scope.position
    let framesPerBeat = Int32(max(position.sampleRateHz, 2) / 2)
    let beats = Int32(position.frame) / framesPerBeat
    let rest = Int32(position.frame) % framesPerBeat
    scope.setBarBeatTick(
      BarBeatTick(
        bar: beats / 4 + 1,
        beat: beats % 4 + 1,
        tick: Double(rest * 960 / framesPerBeat),
        barStartTick: Double(beats / 4 * 4 * 960),
        beatsPerBar: 4,
        beatType: 4,
        ticksPerBeat: 960,
        beatsPerMinute: 120,
      )
    )
  }
}

@c(jacktests_transport) @_noLocks @_noAllocation
func transportProcess(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  unsafe ProcessScope.run(frames, context, as: Timebase.self) { timebase, scope in
    let transport = scope.transport
    if transport.state == .rolling, let musical = transport.position.barBeatTick,
      musical.beatsPerMinute == 120
    {
      unsafe timebase.pointee.sawBeat.store(true, ordering: .releasing)
    }
  }
}

struct Readiness: ~Copyable {
  let asked = Atomic<Int>(0)
  let isReady = Atomic<Bool>(false)
}

@c(jacktests_sync) @_noLocks @_noAllocation
func sync(
  _ state: UInt32,
  _ position: UnsafeMutableRawPointer?,
  _ context: UnsafeMutableRawPointer?,
) -> Int32 {
  unsafe SyncScope.run(state, position, context, as: Readiness.self) { readiness, _ in
    unsafe readiness.pointee.asked.wrappingAdd(1, ordering: .relaxed)
    return unsafe readiness.pointee.isReady.load(ordering: .acquiring)
  }
}
