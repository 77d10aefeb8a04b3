// SPDX-License-Identifier: MIT

import InterAppAudio
import JACK
import Synchronization
import TestSupport
import Testing

/// The host's times that a generator read, cycle by cycle; outlives the generator.
@safe
final class TimeLog {
  struct Entry {
    let frame: UInt32
    let time: HostTime
  }

  static let capacity = 4096
  let places: UnsafeMutablePointer<Entry>
  let count: UnsafeMutablePointer<Atomic<Int>>

  init() {
    unsafe places = .allocate(capacity: Self.capacity)
    unsafe count = .allocate(capacity: 1)
    unsafe count.initialize(to: Atomic(0))
  }

  deinit {
    unsafe places.deallocate()
    unsafe count.deinitialize(count: 1)
    unsafe count.deallocate()
  }

  /// The last time.
  var latest: HostTime? {
    let noted = unsafe count.pointee.load(ordering: .acquiring)
    return noted > 0 ? unsafe places[noted - 1].time : nil
  }

  /// The times by the frame of their cycle.
  var entries: [UInt32: HostTime] {
    let noted = unsafe count.pointee.load(ordering: .acquiring)
    return Dictionary(
      (0..<noted).map { unsafe (places[$0].frame, places[$0].time) },
      uniquingKeysWith: { first, _ in first },
    )
  }
}

@safe
struct TimeLogger: ~Copyable {
  let places: UnsafeMutablePointer<TimeLog.Entry>
  let count: UnsafeMutablePointer<Atomic<Int>>
}

@c(multiroute_test_time_logger) @_noLocks @_noAllocation
private func timeLogger(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  unsafe ProcessScope.run(frames, context, as: NodeCallback<TimeLogger>.self) { node, scope in
    let time = unsafe node.pointee.io.hostTime(scope)
    let output = unsafe node.pointee.io.output(0, scope)
    for index in 0..<output.count { unsafe output[index] = 0 }
    let count = unsafe node.pointee.state.count.pointee.load(ordering: .relaxed)
    guard count < TimeLog.capacity else { return }
    let entry = TimeLog.Entry(frame: scope.frameTime, time: time)
    unsafe (node.pointee.state.places + count).initialize(to: entry)
    unsafe node.pointee.state.count.pointee.store(count + 1, ordering: .releasing)
  }
}

@Suite(.serialized, .timeLimit(.minutes(1)))
struct HostTimeTests {
  @Test("IAA-5: all nodes see the same transport, tempo and recording in each cycle", .jackServer())
  func sameForAll() async throws {
    let server = try testServer().name
    let folder = try NodeFolder()
    let host = try InterAppHost(
      HostDescription(name: "conductor"),
      server: server,
      folders: folder.folders,
    )
    try await host.setTempo(90, beatsPerBar: 3)
    let logs = (0..<3).map { _ in TimeLog() }
    let nodes = try (0..<3).map { index in
      try unsafe PublishedNode(
        NodeDescription(kind: .generator, subtype: "time", manufacturer: "test", name: "t\(index)"),
        server: server,
        process: timeLogger,
      ) { _, _ in unsafe TimeLogger(places: logs[index].places, count: logs[index].count) }
    }
    try await waitUntil("three nodes are found") { await host.nodes().count == 3 }
    for node in nodes { _ = try await host.connect(host.node(named: node.name)) }
    try await waitUntil("all are connected") { nodes.allSatisfy(\.isConnected) }
    try await host.setPlaying(true)
    let announced = try await host.announce(
      HostTransportState(isRecording: true, isCycling: true, cycleStartBeat: 4, cycleEndBeat: 8)
    )
    try await passFrames(43_200, on: server)
    try await host.setPlaying(false)
    try await passFrames(4_800, on: server)

    let entries = logs.map { $0.entries }
    let common = entries[0].keys.filter { entries[1][$0] != nil && entries[2][$0] != nil }.sorted()
    #expect(common.count > 100)
    var playing = 0
    var changes = 0
    for frame in common {
      guard let first = entries[0][frame] else { continue }
      for other in entries.dropFirst() {
        guard let second = other[frame] else { continue }
        #expect(first.isPlaying == second.isPlaying)
        #expect(first.sampleInTimeline == second.sampleInTimeline)
        #expect(first.beat == second.beat)
        #expect(first.isRecording == second.isRecording)
        #expect(first.isCycling == second.isCycling)
      }
      // A cycle adopts the announced state if the announced frame is not after the cycle's first frame.
      #expect(first.isRecording == (Int32(bitPattern: frame &- announced.fromFrame) >= 0))
      if first.stateChanged { changes += 1 }
      guard first.isPlaying, first.hasMusicalTime else { continue }
      playing += 1
      let beat = first.sampleInTimeline / 48_000 * 1.5
      #expect(abs(first.beat - beat) < 0.001)
      #expect(first.tempo == 90)
      #expect(first.measureDownbeat == Double(Int(beat / 3) * 3))
      #expect(first.timeSignatureNumerator == 3)
      if first.isRecording { #expect(first.cycleEndBeat == 8) }
    }
    #expect(playing > 50)
    // The start and the recording, and possibly the first cycle and the stop.
    #expect((1...6).contains(changes))
    for node in nodes { node.close() }
    await host.close()
  }

  @Test("IAA-5: recording and cycle of a host end for the node when it disconnects", .jackServer())
  func ends() async throws {
    let server = try testServer().name
    let folder = try NodeFolder()
    let log = TimeLog()
    let node = try unsafe PublishedNode(
      NodeDescription(kind: .generator, subtype: "time", manufacturer: "test", name: "clock"),
      server: server,
      process: timeLogger,
    ) { _, _ in unsafe TimeLogger(places: log.places, count: log.count) }
    let host = try InterAppHost(
      HostDescription(name: "conductor"),
      server: server,
      folders: folder.folders,
    )
    try await waitUntil("the node is found") { await host.nodes().count == 1 }
    let instance = try await host.connect(host.node(named: "clock"))
    try await waitUntil("it is connected") { node.isConnected }
    try await host.announce(
      HostTransportState(isRecording: true, isCycling: true, cycleStartBeat: 4, cycleEndBeat: 8)
    )
    try await waitUntil("it sees the recording") { log.latest?.isRecording == true }
    await host.disconnect(instance)
    try await waitUntil("it sees the end") {
      guard let time = log.latest else { return false }
      return !time.isConnected && !time.isRecording && !time.isCycling && time.cycleEndBeat == 0
    }
    node.close()
    await host.close()
  }
}
