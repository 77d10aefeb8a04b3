// SPDX-License-Identifier: MIT

import GraphFiles
import Synchronization
import Testing

@testable import Host

/// The fade before the host closes its clients, on a server that holds each cycle for 40 ms: the fade takes longer, and is whole.
struct ClosingFadeTests {
  /// Why the host leaves its server.
  private enum Cause: CaseIterable {
    case end, otherServer, otherRate

    /// The frames of the fade: 50 ms of an end, 10 ms before another server.
    var frames: Float { self == .end ? 2_400 : 480 }
  }

  private static let graph = """
    multiroute: 1
    name: house
    session: {category: multiRoute, options: [mixWithOthers]}
    routes: {main: {type: lineOut, ports: [system:playback_1], align: DELAY}}
    sources: {deck: {ports: ["deck:out"]}}
    mix: [{from: deck, to: main}]
    """

  private static func leave(_ house: House, _ cause: Cause) async throws {
    switch cause {
    case .end: await house.host.stop()
    case .otherServer:
      try await house.host.run { rooms in
        var settings = rooms.graph.server
        settings.name = "other"
        try await rooms.moveServer(to: settings, from: rooms.graph.server)
      }
    case .otherRate:
      await house.host.run { rooms in
        rooms.hardware.join(
          HardwareRoom.Links(
            demand: {
              HardwareDemand(
                buffer: .ofGraph(orFrames: nil),
                isBufferOwned: false,
                sampleRateHz: 44_100,
                isRateOfGraph: false,
              )
            },
            attachAnew: { await rooms.server.attachAnew($0) },
          )
        )
        rooms.hardware.settle()
        await rooms.hardware.isSettled()
      }
    }
  }

  @Test(arguments: Cause.allCases, [0, 20])
  private func `the clients are closed once the ramp has reached silence`(
    _ cause: Cause,
    delayMilliseconds: Int,
  ) async throws {
    let delay = "\(delayMilliseconds) ms"
    let house = try House(Self.graph.replacing("DELAY", with: delay))
    try await house.host.live()
    await house.settle()
    await house.play { $0.presence?.soundingStrips = ["deck"] }
    await house.advance(milliseconds: 100)

    let hasLeft = Mutex(false)
    let leaving = Task {
      try await Self.leave(house, cause)
      hasLeft.withLock { $0 = true }
    }
    for _ in 0..<200 where !hasLeft.withLock({ $0 }) {
      await house.settle()
      for _ in 0..<20 {
        house.clock.advance(nanoseconds: 2_000_000)
        await house.settle()
      }
      await house.host.run { _ in house.server.presence?.cycle() }
    }
    try await leaving.value
    let samples = house.server.lastHeard
    if cause != .end { await house.end() }

    let level = try #require(samples.max())
    let ramp = samples.drop { $0 != level }.drop { $0 == level }
    let step = zip(samples.suffix(ramp.count + 1), ramp).map { $0 - $1 }.max() ?? 0
    #expect(step <= level / cause.frames * 1.01, "largest step \(step) of \(level)")
    #expect(samples.last == 0)
    // At least 2,400 or 480 frames, whose last one is silent.
    #expect(ramp.prefix { $0 > 0 }.count >= Int(cause.frames) - 2)
  }
}
