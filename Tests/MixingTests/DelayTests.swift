// SPDX-License-Identifier: MIT

import Testing

@testable import Mixing

@Suite("Delay of a route")
struct DelayTests {
  private static let longest = 24_000

  private func spec(delay: Int, channels: Int = 1) -> MixSpec {
    var spec = oneToOne(channels: channels)
    spec.routes[0].delayFrames = delay
    return spec
  }

  @Test(
    "is exact to the sample from 0 to 500 ms, in blocks of any length",
    arguments: [0, 1, 63, 1024, 12_345, longest],
    [1, 64, 1000, 8192],
  )
  func exact(delay: Int, block: Int) throws {
    let frames = 30_000
    var renderer = try OfflineRenderer(spec(delay: delay, channels: 2), blockFrames: block)
    let inputs = [noise(1, frames), noise(2, frames)]
    let outputs = try renderer.render(inputs: inputs, frames: frames)
    #expect(renderer.engine.latencyFrames(ofRoute: "out") == delay)
    for (input, output) in zip(inputs, outputs) {
      #expect(output[..<delay].allSatisfy { $0 == 0 })
      #expect(Array(output[delay...]) == Array(input[..<(frames - delay)]))
    }
  }

  @Test("changes without a click and without a gap", arguments: [(0, 4800), (4800, 0), (480, 961)])
  func change(from first: Int, to second: Int) throws {
    // A slow ramp: each frame has a value of its own, and a click would be a large step.
    let frames = 48_000
    let step: Float = 1 / 48_000
    let input = (0..<frames).map { Float($0) * step + 1 }
    var renderer = try OfflineRenderer(spec(delay: first), blockFrames: 256)
    let before = try renderer.render(inputs: [Array(input[..<24_000])], frames: 24_000)[0]
    try renderer.engine.apply(spec(delay: second))
    let after = try renderer.render(inputs: [Array(input[24_000...])], frames: 24_000)[0]
    // A first delay begins once so much has been played.
    if first == 0 { #expect(Array(after[..<second]) == Array(input[24_000..<24_000 + second])) }
    let heard = Array((before + after)[first...])
    // The crossfade goes over the difference of the delays within 240 frames.
    let largest = Float(abs(first - second)) * step / 240 + 2 * step
    #expect(largestStep(heard) < largest)
    #expect(heard.allSatisfy { $0 >= 1 })
    let expected = input[(24_000 + 12_000 - second)..<(48_000 - second)]
    #expect(Array(after[12_000...]) == Array(expected))
  }

  @Test("plays the line to its end when its input is silent")
  func tail() throws {
    var renderer = try OfflineRenderer(spec(delay: 20_000), blockFrames: 512)
    let input = noise(3, 10_000)
    var output = try renderer.render(inputs: [input], frames: 10_000)[0]
    var silent = spec(delay: 20_000)
    silent.sends.removeAll()
    try renderer.engine.apply(silent, fade: .frames(0))
    output += try renderer.render(inputs: [noise(4, 90_000)], frames: 90_000)[0]
    #expect(Array(output[20_000..<29_000]) == Array(input[..<9_000]))
    #expect(output[31_000...].allSatisfy { $0 == 0 })
  }

  @Test("takes a channel without memory for silence")
  func missingMemory() throws {
    let (delay, lap) = (256, 33_024)
    let engine = try MixEngine(
      spec(delay: delay, channels: 2),
      configuration: .init(sampleRateHz: 48_000),
    )
    let start = UnsafeMutablePointer<Float>.allocate(capacity: 4 * delay)
    unsafe start.initialize(repeating: 1, count: 4 * delay)
    defer { unsafe start.deallocate() }
    let inputs = unsafe [UnsafePointer<Float>?(start), UnsafePointer(start + delay)]
    /// Plays a cycle; gives the second channel's samples.
    func play(hasMemory: Bool) -> [Float] {
      let second = unsafe start + 3 * delay
      unsafe engine.renderer.render(
        inputs: inputs,
        outputs: [start + 2 * delay, hasMemory ? second : nil],
        frames: delay,
        atFrame: 0,
      )
      return (0..<delay).map { unsafe second[$0] }
    }
    for _ in 0..<lap / delay { _ = play(hasMemory: true) }
    #expect(play(hasMemory: true) == constant(1, delay))
    _ = play(hasMemory: false)
    #expect(play(hasMemory: true) == constant(0, delay))
    #expect(play(hasMemory: true) == constant(1, delay))
  }

  @Test("is at rest once all of its line is silence, and not before", arguments: [true, false])
  func rest(isNew: Bool) {
    let block = DelayBlock(channels: 1, frames: 100, isNew: isNew, sampleRateHz: 1_000)
    let capacity = unsafe block.state.pointee.capacityFrames
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: capacity)
    defer { unsafe samples.deallocate() }
    /// Plays silence, or an impulse first; gives whether the delay is at rest.
    func isAtRest(after frames: Int, first: Float = 0) -> Bool {
      unsafe samples.initialize(repeating: 0, count: frames)
      unsafe samples[0] = first
      let outputs = unsafe [UnsafeMutablePointer<Float>?(samples)]
      unsafe block.state.pointee.process(outputs, frames: frames)
      return unsafe block.state.pointee.isAtRest
    }
    #expect(unsafe block.state.pointee.isAtRest == isNew)
    #expect(isAtRest(after: capacity - 1) == isNew)
    #expect(isAtRest(after: 1))
    #expect(!isAtRest(after: 1, first: 0.5))
    #expect(!isAtRest(after: capacity - 1))
    #expect(isAtRest(after: 1) && isAtRest(after: capacity))
    #expect(!isAtRest(after: 1, first: -0.5))
  }

  @Test("is exact on each route by itself, and up to the longest at any rate")
  func routes() throws {
    for rate in [1_000, 32_000] as [Double] {
      let longest = Int(rate / 2)
      let delays = [0, longest / 3, longest]
      var spec = oneToOne(channels: 2)
      spec.routes = delays.map { RouteSpec(id: "\($0)", channels: 2, delayFrames: $0) }
      spec.sends = delays.map { SendSpec(strip: "in", route: "\($0)") }
      var renderer = try OfflineRenderer(spec, sampleRateHz: rate, blockFrames: 1_500)
      let frames = 2 * longest + 3_000
      let inputs = [noise(1, frames), noise(2, frames)]
      let outputs = try renderer.render(inputs: inputs, frames: frames)
      for (route, delay) in delays.enumerated() {
        for channel in 0..<2 {
          let expected = constant(0, delay) + inputs[channel][..<(frames - delay)]
          #expect(outputs[2 * route + channel] == expected, "\(delay) frames at \(rate) Hz")
        }
      }
    }
  }

  @Test("plays its line on through inputs that are silent while they are heard")
  func silentInput() throws {
    var renderer = try OfflineRenderer(spec(delay: 1_000))
    let input = noise(1, 640)
    let output = try renderer.render(inputs: [input], frames: 4_800)[0]
    #expect(output == constant(0, 1_000) + input + constant(0, 4_800 - 1_640))
  }

  @Test("begins with the first frame for which enough has been played, and not before")
  func start() {
    let block = DelayBlock(channels: 1, frames: 100, isNew: false, sampleRateHz: 1_000)
    let sample = UnsafeMutablePointer<Float>.allocate(capacity: 1)
    unsafe sample.initialize(to: 0.5)
    defer { unsafe sample.deallocate() }
    for played in 0..<100 {
      unsafe block.state.pointee.process([sample], frames: 1)
      #expect(unsafe block.state.pointee.frames == 0, "\(played) frames played before")
    }
    unsafe block.state.pointee.process([sample], frames: 1)
    #expect(unsafe block.state.pointee.frames == 100)
  }

  @Test("a change fades for 5 ms, and for one frame where that is shorter")
  func fadeLength() {
    for (rate, frames) in [(48_000, 240), (1_000, 5), (100, 1)] as [(Double, Int)] {
      let block = DelayBlock(channels: 1, frames: 0, isNew: true, sampleRateHz: rate)
      #expect(unsafe block.state.pointee.fadeFrames == frames)
    }
  }

  @Test("is refused where it is no delay")
  func refused() {
    #expect(throws: MixError.self) { try spec(delay: -1).validate() }
  }
}
