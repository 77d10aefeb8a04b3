// SPDX-License-Identifier: MIT

import Foundation
import Mixing
import TestSupport
import Testing

@Suite("Engine")
struct EngineTests {
  @Test("ramps with an id report the frame at which they landed, overtaken ones do not")
  func reports() throws {
    var renderer = try OfflineRenderer(oneToOne(), blockFrames: 64)
    _ = try renderer.render(
      inputs: [],
      frames: 3000,
      changes: [
        .init(atFrame: 100) {
          try $0.setFader(strip: "in", decibels: -6, fade: .frames(1000), reportID: 1)
        },
        .init(atFrame: 200) {
          try $0.setFader(strip: "in", decibels: -9, fade: .frames(300), reportID: 2)
        },
        .init(atFrame: 1000) {
          try $0.setSend(strip: "in", route: "out", decibels: -6, fade: .frames(7), reportID: 3)
        },
        .init(atFrame: 1500) {
          try $0.setRouteGain(route: "out", decibels: -6, fade: .none, reportID: 4)
        },
        .init(atFrame: 2000) {
          // There already.
          try $0.setDuck(strip: "in", decibels: 0, fade: .frames(500), reportID: 5)
        },
      ],
    )
    #expect(
      renderer.events == [
        .planAdopted(tag: 0, frame: 0),
        .rampFinished(reportID: 2, frame: 500),
        .rampFinished(reportID: 3, frame: 1007),
        .rampFinished(reportID: 4, frame: 1500),
        .rampFinished(reportID: 5, frame: 2000),
      ]
    )
  }

  @Test("a send that stays silent reports too")
  func silentSend() throws {
    var renderer = try OfflineRenderer(oneToOne())
    let silent = -Double.infinity
    _ = try renderer.render(
      inputs: [],
      frames: 1000,
      changes: [
        .init(atFrame: 64) {
          try $0.setSend(
            strip: "in",
            route: "out",
            decibels: silent,
            fade: .frames(10),
            reportID: 1
          )
        },
        .init(atFrame: 640) {
          try $0.setSend(
            strip: "in",
            route: "out",
            decibels: silent,
            fade: .frames(10),
            reportID: 2
          )
        },
      ],
    )
    #expect(renderer.events.contains(.rampFinished(reportID: 1, frame: 74)))
    #expect(renderer.events.contains(.rampFinished(reportID: 2, frame: 640)))
  }

  @Test("changes without an id are not reported")
  func unreported() throws {
    var renderer = try OfflineRenderer(oneToOne(), blockFrames: 64)
    _ = try renderer.render(
      inputs: [],
      frames: 2000,
      changes: [
        .init(atFrame: 100) {
          try $0.setMute(strip: "in", isMuted: true)
          try $0.setMute(route: "out", isMuted: true)
          try $0.setFader(strip: "in", decibels: -6)
          try $0.setDuck(strip: "in", decibels: -6)
          try $0.setRouteGain(route: "out", decibels: -6)
          try $0.setSend(strip: "in", route: "out", decibels: -6)
          try $0.setSolo(strip: "in", isSoloed: true)
          try $0.setCrossfader(position: 0.5)
        },
        .init(atFrame: 1000) {
          try $0.setSend(strip: "in", route: "out", decibels: -.infinity)
        },
      ],
    )
    #expect(renderer.events == [.planAdopted(tag: 0, frame: 0)])
  }

  @Test("a send that is new reports if that was asked for, and only then", arguments: [0, 1, 7])
  func newSend(reportID: UInt32) throws {
    var spec = oneToOne()
    spec.sends = []
    var renderer = try OfflineRenderer(spec, blockFrames: 64)
    _ = try renderer.render(
      inputs: [],
      frames: 1_000,
      changes: [
        .init(atFrame: 128) {
          try $0.setSend(
            strip: "in",
            route: "out",
            decibels: -3,
            fade: .frames(50),
            reportID: reportID
          )
        }
      ],
    )
    let report = MixEvent.rampFinished(reportID: reportID, frame: 178)
    #expect(
      renderer.events == [.planAdopted(tag: 0, frame: 0), .planAdopted(tag: 0, frame: 128)]
        + (reportID == 0 ? [] : [report])
    )
  }

  @Test("a batch acts in one cycle")
  func batch() throws {
    var spec = oneToOne()
    spec.strips.append(StripSpec(id: "second", channels: 1))
    spec.sends.append(SendSpec(strip: "second", route: "out", gainDB: -.infinity))
    var renderer = try OfflineRenderer(spec)
    spec.strips[0].isGated = true
    spec.sends[1].gainDB = 0
    let after = spec
    let output = try renderer.render(
      inputs: [constant(1, 1000), constant(1, 1000)],
      frames: 1000,
      changes: [.init(atFrame: 300) { try $0.apply(after, fade: .frames(100)) }],
    )[0]
    // One goes as the other comes, so that the sum stands still.
    #expect(output.allSatisfy { abs($0 - 1) < 1e-6 })
  }

  @Test("changes for one frame act in the order in which they are given")
  func sameFrame() throws {
    var renderer = try OfflineRenderer(oneToOne())
    let output = try renderer.render(
      inputs: [constant(1, 300)],
      frames: 300,
      changes: [-6, -12, -20].map { decibels in
        .init(atFrame: 100) { try $0.setFader(strip: "in", decibels: decibels, fade: .none) }
      },
    )[0]
    #expect(output[99] == 1 && abs(output[299] - 0.1) < 1e-6)
  }

  @Test("every output is written in each cycle, also where nothing goes to it")
  func idleOutputs() throws {
    let names = ["a", "b", "c", "d"]
    let engine = try MixEngine(
      MixSpec(
        strips: [StripSpec(id: "in", channels: 1)],
        routes: names.map { RouteSpec(id: $0, channels: 1) },
        sends: [SendSpec(strip: "in", route: "c")],
      ),
      configuration: .init(sampleRateHz: 48_000),
    )
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: 5 * 64)
    defer { unsafe memory.deallocate() }
    for cycle in 0..<4 as Range<UInt64> {
      unsafe memory.initialize(repeating: 0.5, count: 5 * 64)
      unsafe engine.renderer.render(
        inputs: [UnsafePointer(memory)],
        outputs: (1...4).map { unsafe memory + 64 * $0 },
        frames: 64,
        atFrame: 64 * cycle,
      )
      let written = (1...4).map { output in Set((0..<64).map { unsafe memory[64 * output + $0] }) }
      #expect(written == [[0], [0], [0.5], [0]])
    }
  }

  @Test("full queues delay commands but lose none")
  func smallQueues() throws {
    let engine = try MixEngine(
      .init(
        strips: (0..<20).map { StripSpec(id: "\($0)", channels: 1) },
        routes: [RouteSpec(id: "out", channels: 1)],
        sends: (0..<20).map { SendSpec(strip: "\($0)", route: "out") },
      ),
      configuration: .init(sampleRateHz: 48_000, queueCapacity: 4),
    )
    var player = LayoutPlayer(engine: engine)
    let layouts: [UInt64: MixSpec] = [0: engine.spec]
    player.cycle(frames: 64, layouts: layouts)
    #expect(player.last["out"]?.last == 20)
    // Twice as many commands as the queue holds, while the audio thread does not read.
    for round in 0..<2 {
      for strip in 0..<20 {
        try engine.setGate(strip: "\(strip)", isOpen: round == 1, reportID: UInt32(strip + 1))
      }
    }
    var muted = engine.spec
    for strip in 0..<19 { muted.strips[strip].isGated = true }
    muted.sends.removeLast()
    muted.sends[0].matrix = [[-1]]
    try engine.apply(muted)
    var events: [MixEvent] = []
    for _ in 0..<200 {
      player.cycle(frames: 64, layouts: layouts)
      events += engine.collect()
    }
    #expect(player.last["out"]?.last == 0)
    let closed = events.filter { if case .gateClosed = $0 { true } else { false } }
    #expect(closed.count >= 19)
  }

  @Test("every report that was asked for comes once, however long nobody collects")
  func fullReports() throws {
    let engine = try MixEngine(
      .init(
        strips: (0..<6).map { StripSpec(id: "\($0)", channels: 2) },
        routes: [RouteSpec(id: "out", channels: 2)],
        sends: (0..<3).map { SendSpec(strip: "\($0)", route: "out") },
      ),
      configuration: .init(sampleRateHz: 48_000, queueCapacity: 4),
    )
    let silence = unsafe [UnsafePointer<Float>?](repeating: nil, count: 12)
    let skipped = unsafe [UnsafeMutablePointer<Float>?](repeating: nil, count: 2)
    var frame: UInt64 = 0
    func play(_ cycles: Int) {
      for _ in 0..<cycles {
        unsafe engine.renderer.render(
          inputs: silence,
          outputs: skipped,
          frames: 64,
          atFrame: frame,
        )
        frame += 64
      }
    }
    // Faders that move, sends that fall silent, and sends that are silent and stay it: these have no ramp.
    let below = -Double.infinity
    for strip in 0..<6 {
      let name = "\(strip)"
      let id = UInt32(1 + 3 * strip)
      try engine.setFader(strip: name, decibels: -6, fade: .frames(100), reportID: id)
      play(1)
      for report in [id + 1, id + 2] {
        try engine.setSend(
          strip: name,
          route: "out",
          decibels: below,
          fade: .frames(30),
          reportID: report,
        )
        play(2)
      }
    }
    play(20)
    var reports: [UInt32] = []
    for _ in 0..<20 {
      reports += engine.collect().compactMap {
        if case .rampFinished(let id, _) = $0 { id } else { nil }
      }
      play(1)
    }
    #expect(reports.sorted() == Array(1...18), "\(reports)")
  }

  @Test(
    "ramps that land while nobody collects are reported later, with the frame at which they landed"
  )
  func lateReports() throws {
    let names = (0..<4).map { "\($0)" }
    let engine = try MixEngine(
      .init(
        strips: names.map { StripSpec(id: $0, channels: 1) },
        routes: [RouteSpec(id: "out", channels: 1)],
        sends: names.map { SendSpec(strip: $0, route: "out") },
      ),
      configuration: .init(sampleRateHz: 48_000, queueCapacity: 4),
    )
    for (index, name) in names.enumerated() {
      let id = UInt32(index + 1)
      try engine.setFader(strip: name, decibels: -6, fade: .frames(100), reportID: id)
    }
    var player = LayoutPlayer(engine: engine)
    var reports: [MixEvent] = []
    for _ in 0..<3 {
      for _ in 0..<10 { player.cycle(frames: 64, layouts: [0: engine.spec]) }
      reports += engine.collect().filter {
        if case .rampFinished = $0 { true } else { false }
      }
    }
    // The player's cycles begin at frame 0 each; the ramps end in the second one.
    let expected = (1...4 as ClosedRange<UInt32>).map {
      MixEvent.rampFinished(reportID: $0, frame: 36)
    }
    #expect(reports.count == 4 && expected.allSatisfy(reports.contains), "\(reports)")
  }

  @Test("control and audio on threads of their own", .timeLimit(.minutes(2)))
  func threads() async throws {
    let engine = try MixEngine(oneToOne(), configuration: .init(sampleRateHz: 48_000))
    let isDone = DispatchSemaphore(value: 0)
    let layouts = Dictionary(
      uniqueKeysWithValues: (0..<200 as Range<UInt64>).map { ($0, Self.spec(step: $0)) }
    )
    Thread {
      var player = LayoutPlayer(engine: engine)
      while player.tag != 199 { player.cycle(frames: 32, layouts: layouts) }
      for _ in 0..<100 { player.cycle(frames: 32, layouts: layouts) }
      isDone.signal()
    }
    .start()
    var events: [MixEvent] = []
    for step in 1..<200 as Range<UInt64> {
      try engine.apply(Self.spec(step: step), tag: step)
      for gain in 0..<20 {
        try engine.setFader(strip: "in", decibels: -Double(gain))
        _ = engine.meters()
      }
      events += engine.collect()
      // Now and then the audio thread has a plan for some cycles.
      if step % 20 == 0 { try await Task.sleep(for: .milliseconds(2)) }
    }
    await onOwnThread { isDone.wait() }
    events += engine.collect()
    #expect(events.contains { if case .planAdopted(199, _) = $0 { true } else { false } })
  }

  private static func spec(step: UInt64) -> MixSpec {
    var spec = oneToOne()
    if step % 2 == 1 {
      spec.strips.append(StripSpec(id: "other", channels: 2))
      spec.sends.append(SendSpec(strip: "other", route: "out"))
    }
    if step % 3 == 1 { spec.routes[0].limiter = LimiterSpec(lookaheadFrames: 10) }
    return spec
  }
}
