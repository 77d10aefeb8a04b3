// SPDX-License-Identifier: MIT

import InterAppAudio
import JACK
import TestSupport
import Testing

/// Logs each MIDI message of one byte with the transport's frame.
@c(multiroute_test_clock_logger) @_noLocks @_noAllocation
private func clockLogger(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  unsafe ProcessScope.run(frames, context, as: NodeCallback<MIDILog.Writer>.self) { node, scope in
    let output = unsafe node.pointee.io.output(0, scope)
    for index in 0..<output.count { unsafe output[index] = 0 }
    let start = unsafe UInt32(node.pointee.io.hostTime(scope).sampleInTimeline)
    guard let events = unsafe node.pointee.io.midiEvents(scope) else { return }
    for index in 0..<events.count {
      let event = events[index]
      guard unsafe event.bytes.count == 1 else { return }
      let byte = unsafe UInt16(event.bytes[0])
      unsafe node.pointee.state.append(byte, atFrame: start &+ event.frameOffset)
    }
  }
}

@Suite(.serialized, .timeLimit(.minutes(1)))
struct MIDIClockTests {
  @Test(
    "IAA-5: MIDI clock sends start, 24 pulses per beat at their frames, stop and continue",
    .jackServer(frames: 128),
    arguments: [120.0, 133.7]
  )
  func clock(_ tempo: Double) async throws {
    let server = try testServer().name
    let folder = try NodeFolder()
    let log = MIDILog()
    let node = try unsafe PublishedNode(
      NodeDescription(kind: .instrument, subtype: "clok", manufacturer: "test", name: "clock"),
      server: server,
      process: clockLogger,
    ) { _, _ in log.writer }
    let host = try InterAppHost(
      HostDescription(name: "drummer"),
      server: server,
      folders: folder.folders,
    )
    let found = try await waitForNode(host)
    try await host.setTempo(tempo)
    try await host.patch(["drummer:midi_clock"], to: found.midiInputs)
    try host.connection.locateTransport(toFrame: 0)
    try await host.setPlaying(true)
    try await waitUntil("some beats have passed") { log.arrivals.count > 24 * 3 }
    try await host.setPlaying(false)
    try await waitUntil("it stops") { log.arrivals.last?.value == 0xfc }
    let messages = log.arrivals
    // Start, then pulses from frame 0 on, until the stop.
    #expect(messages.first.map { $0 == (0, 0xfa) } == true)
    let pulses = messages.dropFirst().dropLast()
    #expect(pulses.allSatisfy { $0.value == 0xf8 })
    let framesPerPulse = 48_000 * 60 / (tempo * 24)
    let wrong = pulses.enumerated().filter { number, pulse in
      pulse.frame != UInt32((Double(number) * framesPerPulse - 0.001).rounded(.up))
    }
    #expect(wrong.isEmpty, "\(wrong.count) of \(pulses.count): \(wrong.prefix(3))")

    try await host.setPlaying(true)
    try await waitUntil("it goes on") { log.arrivals.count > messages.count + 24 }
    #expect(log.arrivals[messages.count].value == 0xfb)
    node.close()
    await host.close()
  }

  private func waitForNode(_ host: InterAppHost) async throws -> Node {
    try await waitUntil("a node is found") { await !host.nodes().isEmpty }
    return try #require(await host.nodes().first)
  }
}
