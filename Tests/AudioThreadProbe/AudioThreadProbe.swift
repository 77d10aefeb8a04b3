// SPDX-License-Identifier: MIT

import AllocationCounter
import Glibc
import Mixing

/// Renders many cycles, counting what the calling thread does in them, while control changes the
/// mix.
///
/// Arguments: how many callbacks; `allocation` or `lock` plants one of those in each. A program
/// of its own, so that the counted functions stand in front of no other test.
@main
struct AudioThreadProbe {
  static func main() throws {
    let callbacks = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 1000
    let plant = CommandLine.arguments.dropFirst(2).first ?? ""
    var probe = try Probe()
    // Memory that is made on first use is made here, as a client renders a cycle before it is activated.
    for cycle in 0..<100 { try probe.run(cycle: cycle, plant: "") }
    probe.counts = AllocationCounts()
    for cycle in 0..<callbacks { try probe.run(cycle: cycle, plant: plant) }
    let counts = probe.counts
    print(
      "callbacks \(callbacks) allocations \(counts.allocations) frees \(counts.frees)"
        + " locks \(counts.locks) systemCalls \(counts.system_calls)"
        + " landings \(probe.landings) plans \(probe.plans)"
    )
  }
}

/// A byte from the heap; out of line, or the optimiser would do without.
@inline(never)
func plantedAllocation() -> UnsafeMutableRawPointer? {
  unsafe malloc(1)
}

/// A mix with memory for its ports, which lives as long as the process.
@safe
struct Probe {
  static let frames = 16
  static let channels = 8
  var counts = AllocationCounts()
  var landings = 0
  var plans = 0
  private let engine: MixEngine
  private let inputs: UnsafeMutablePointer<UnsafePointer<Float>?>
  private let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  init() throws {
    engine = try MixEngine(Self.spec(cued: false), configuration: .init(sampleRateHz: 48_000))
    unsafe inputs = .allocate(capacity: Self.channels)
    unsafe outputs = .allocate(capacity: Self.channels)
    for channel in 0..<Self.channels {
      let input = UnsafeMutablePointer<Float>.allocate(capacity: Self.frames)
      unsafe input.initialize(repeating: 0.9, count: Self.frames)
      // Two inputs are cleaned in each cycle.
      if channel < 2 { unsafe input[3] = channel == 0 ? .nan : 100 }
      unsafe inputs[channel] = UnsafePointer(input)
      unsafe outputs[channel] = .allocate(capacity: Self.frames)
    }
    unsafe mutex = .allocate(capacity: 1)
    unsafe pthread_mutex_init(mutex, nil)
  }

  /// Three strips, one of them on the phones, or four, so that going over takes a new plan.
  static func spec(cued: Bool) -> MixSpec {
    let strips = 0..<(cued ? 3 : 4)
    return MixSpec(
      strips: strips.map {
        StripSpec(
          id: "\($0)",
          channels: 2,
          isCued: cued && $0 == 1,
          crossfaderSide: $0 == 0 ? .a : .b,
        )
      },
      routes: [
        RouteSpec(id: "main", channels: 2, limiter: LimiterSpec(lookaheadFrames: 32)),
        RouteSpec(id: "booth", channels: 2, limiter: LimiterSpec()),
        RouteSpec(id: "phones", channels: 2, receivesCue: true),
      ],
      sends: strips.flatMap { strip in
        ["main", "booth"].map { SendSpec(strip: "\(strip)", route: $0) }
      },
    )
  }

  /// Lets control change something now and then, and renders one cycle, counted.
  mutating func run(cycle: Int, plant: String) throws {
    if cycle % 50 == 0 {
      let strip = "\(cycle / 50 % 3)"
      try engine.setFader(strip: strip, decibels: Double(cycle % 13) - 12, reportID: 1)
      try engine.setGate(strip: strip, isOpen: cycle % 100 == 0, fade: .frames(100))
    }
    if cycle % 400 == 0 { try engine.apply(Self.spec(cued: cycle % 800 == 0)) }
    if cycle % 20 == 0 { count(engine.collect()) }
    if cycle % 50 == 0 { engine.watchLevels(cycle % 100 == 0) }
    allocation_counter_start()
    _ = engine.renderer.beginCycle(atFrame: UInt64(cycle * Self.frames))
    if cycle % 3 == 0 {
      engine.renderer.moveCrossfader(
        to: Double(cycle % 21) / 10 - 1,
        atFrameOffset: UInt32(cycle % Self.frames),
      )
    }
    unsafe engine.renderer.mix(inputs: inputs, outputs: outputs, frames: Self.frames)
    if plant == "allocation" { unsafe free(plantedAllocation()) }
    if plant == "lock" {
      unsafe pthread_mutex_lock(mutex)
      unsafe pthread_mutex_unlock(mutex)
    }
    let cycleCounts = allocation_counter_stop()
    counts.allocations += cycleCounts.allocations
    counts.frees += cycleCounts.frees
    counts.locks += cycleCounts.locks
    counts.system_calls += cycleCounts.system_calls
  }

  private mutating func count(_ events: [MixEvent]) {
    for event in events {
      switch event {
      case .planAdopted: plans += 1
      case .crossfaderMoved: break
      case .gateClosed, .gateOpened, .rampFinished: landings += 1
      }
    }
  }
}
