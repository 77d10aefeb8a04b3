// SPDX-License-Identifier: MIT

import CMixKernels
import Testing

/// Every set of kernels that the machine has, against plain loops in double precision.
@Suite("Kernels")
struct KernelTests {
  static let names: [String] = ["avx512", "avx2", "sse2", "neon", "generic"]
    .filter { (name: String) in unsafe mix_kernels_named(name) != nil }
  static let lengths = [
    0, 1, 3, 4, 5, 7, 8, 15, 16, 17, 31, 33, 63, 64, 65, 100, 127, 128, 257, 1024,
  ]

  @Test("the machine has at least one set, and uses the widest")
  func choice() {
    #expect(!Self.names.isEmpty)
    #expect(unsafe String(cString: mix_vectors()) == Self.names.first)
  }

  @Test("sums, with their level, at any length and alignment", arguments: names, lengths)
  func sum(name: String, frames: Int) throws {
    let kernels = unsafe try Self.kernels(name)
    for count in [1, 2, 3, 4, 5, 9, 33] {
      let offset = count % 3
      let inputs = (0..<count).map { noise(UInt64($0 + frames), frames + offset) }
      let gains = (0..<count).map { 1 / Float($0 + 1) }
      var output = constant(7, offset + frames + 1)
      let level = unsafe withPointers(to: inputs) {
        unsafe kernels.sum(&output, $0, gains, Int32(count), offset, frames)
      }
      // The samples before and behind stay as they were.
      #expect(output[..<offset].allSatisfy { $0 == 7 } && output[offset + frames] == 7)
      var squares = 0.0
      for frame in offset..<offset + frames {
        let expected = (0..<count).reduce(0.0) {
          $0 + Double(inputs[$1][frame]) * Double(gains[$1])
        }
        #expect(abs(Double(output[frame]) - expected) < 1e-5)
        squares += expected * expected
      }
      let peak = output[offset..<offset + frames].map(abs).max() ?? 0
      #expect(level.peak == peak)
      #expect(abs(Double(level.squares) - squares) <= 1e-4 * (1 + squares))
    }
  }

  @Test("a sample is the same in every block, and beside every other output", arguments: names)
  func sameBits(name: String) throws {
    let kernels = unsafe try Self.kernels(name)
    let frames = 300
    for count in [2, 3, 4, 7, 16, 33] {
      let inputs = (0..<count).map { noise(UInt64($0), frames) }
      let gains = noise(99, 4 * count)
      unsafe withPointers(to: inputs) { sources in
        for together in unsafe [2, Int(kernels.most_outputs)] {
          let whole = (0..<together).map { output in
            unsafe summed(kernels, sources, gains, output, of: together, 0..<frames)
          }
          for block in [0..<frames, 0..<64, 1..<34, 5..<105, 40..<47, 7..<8] {
            let (outputs, levels) = unsafe summed(kernels, sources, gains, together, block)
            for output in 0..<together {
              let (alone, level) = unsafe summed(
                kernels,
                sources,
                gains,
                output,
                of: together,
                block
              )
              #expect(outputs[output] == Array(whole[output].samples[block]))
              #expect(alone == outputs[output])
              #expect(level.peak == levels[output].peak)
              #expect(abs(level.squares - levels[output].squares) <= 1e-5 * level.squares)
            }
          }
        }
      }
    }
  }

  /// One output of several, summed alone.
  private func summed(
    _ kernels: MixKernels,
    _ sources: [UnsafePointer<Float>?],
    _ gains: [Float],
    _ output: Int,
    of together: Int,
    _ block: Range<Int>,
  ) -> (samples: [Float], level: MixLevel) {
    let own = (0..<gains.count / together).map { gains[$0 * together + output] }
    var samples = constant(7, block.upperBound)
    let level = unsafe kernels.sum(
      &samples,
      sources,
      own,
      Int32(sources.count),
      block.lowerBound,
      block.count,
    )
    return (Array(samples[block]), level)
  }

  /// Several outputs, summed together.
  private func summed(
    _ kernels: MixKernels,
    _ sources: [UnsafePointer<Float>?],
    _ gains: [Float],
    _ together: Int,
    _ block: Range<Int>,
  ) -> (outputs: [[Float]], levels: [MixLevel]) {
    let room = UnsafeMutablePointer<Float>.allocate(capacity: together * block.upperBound)
    unsafe room.initialize(repeating: 7, count: together * block.upperBound)
    defer { unsafe room.deallocate() }
    let outputs = unsafe (0..<together).map { unsafe Optional(room + $0 * block.upperBound) }
    var levels = Array(repeating: MixLevel(peak: 0, squares: 0), count: together)
    unsafe kernels.sum_outputs(
      outputs,
      Int32(together),
      sources,
      gains,
      Int32(sources.count),
      block.lowerBound,
      block.count,
      &levels,
    )
    return (
      (0..<together).map { output in
        block.map { unsafe room[output * block.upperBound + $0] }
      },
      levels
    )
  }

  @Test("inputs that are read have their own levels, once in a cycle", arguments: names, lengths)
  func readInputs(name: String, frames: Int) throws {
    let kernels = unsafe try Self.kernels(name)
    for count in [1, 3, 4, 5, 9] {
      var inputs = (0..<count).map { noise(UInt64($0), frames) }
      // Behind them one that has been read in this cycle, and one that is not listed.
      let unread = unsafe MixInput(samples: nil, level: MixLevel(peak: 9, squares: 9), cycle: 6)
      var read = unsafe Array(repeating: unread, count: count + 2)
      unsafe read[count].cycle = 7
      let places = Array((0...Int32(count)).reversed())
      unsafe withPointers(to: inputs) { sources in
        let samples = unsafe sources + [sources[0], sources[0]]
        let isUnclean = unsafe kernels.read_inputs(
          samples,
          places,
          Int32(places.count),
          frames,
          7,
          &read,
        )
        #expect(!isUnclean)
        for input in 0..<count { #expect(unsafe read[input].samples == sources[input]) }
        #expect(unsafe read[count].samples == nil && read[count + 1].samples == nil)
      }
      #expect(unsafe read.map { unsafe $0.cycle } == Array(repeating: 7, count: count + 1) + [6])
      let levels = unsafe read.map { unsafe $0.level }
      for (input, level) in zip(inputs, levels) {
        #expect(level.peak == input.map(abs).max() ?? 0)
        let squares = input.reduce(0.0) { $0 + Double($1) * Double($1) }
        #expect(abs(Double(level.squares) - squares) <= 1e-4 * (1 + squares))
      }
      #expect(levels[count].peak == 9 && levels[count + 1].peak == 9)
      guard frames > 0 else { continue }
      for fault in [Float.nan, .infinity, 17] {
        for faulty in 0..<count {
          let sound = inputs[faulty][frames / 2]
          inputs[faulty][frames / 2] = fault
          #expect(unsafe isAnyUnclean(kernels, inputs, frames: frames))
          inputs[faulty][frames / 2] = sound
        }
      }
    }
  }

  /// Whether any of the inputs is found unclean.
  private func isAnyUnclean(_ kernels: MixKernels, _ inputs: [[Float]], frames: Int) -> Bool {
    let unread = unsafe MixInput(samples: nil, level: MixLevel(peak: 0, squares: 0), cycle: 0)
    var read = unsafe Array(repeating: unread, count: inputs.count)
    let places = (0..<Int32(inputs.count)).map { $0 }
    return unsafe withPointers(to: inputs) { sources in
      unsafe kernels.read_inputs(sources, places, Int32(places.count), frames, 1, &read)
    }
  }

  @Test(
    "singles, pairs and groups are summed like their outputs alone, with inputs and outputs missing",
    arguments: names,
    [3, 64, 100, 300],
  )
  func groups(name: String, frames: Int) throws {
    let kernels = unsafe try Self.kernels(name)
    let most = unsafe Int(kernels.most_outputs)
    let inputs = (0..<6).map { noise(UInt64($0 + frames), frames + 1) }
    // A copy, a single input, two, five for several outputs, and none.
    let shapes: [(inputs: [Int32], outputs: Int)] = [
      ([4], 1), ([2], 1), ([1, 3], 1), ([0, 1, 2, 4, 5], most), ([0, 2, 5], 2), ([], 1),
    ]
    for missingInputs in [[], [1], [2], [5], [1, 3]] {
      for missingOutput in [nil, 2, 3] {
        try unsafe withPointers(to: inputs) { present in
          var sources: [UnsafePointer<Float>?] = unsafe present
          for input in missingInputs { unsafe sources[input] = nil }
          try unsafe compareGroups(
            kernels,
            shapes,
            sources,
            frames: frames,
            missingOutput: missingOutput,
          )
        }
      }
    }
  }

  /// Sums groups, and each of their outputs alone; an output can be missing.
  private func compareGroups(
    _ kernels: MixKernels,
    _ shapes: [(inputs: [Int32], outputs: Int)],
    _ sources: [UnsafePointer<Float>?],
    frames: Int,
    missingOutput: Int?,
  ) throws {
    var groups: [MixGroup] = []
    var places: [Int32] = []
    var gains: [Float] = []
    let outputCount = shapes.reduce(0) { $0 + $1.outputs }
    for shape in shapes {
      groups.append(
        MixGroup(
          first_input: Int32(places.count),
          count: Int32(shape.inputs.count),
          first_gain: Int32(gains.count),
          first_output: groups.reduce(0) { $0 + $1.outputs },
          outputs: Int32(shape.outputs),
        )
      )
      places += shape.inputs
      gains += groups.count == 1 ? [1] : noise(7, shape.inputs.count * shape.outputs)
    }
    let inputs = unsafe sources.map { source in
      let silence = MixLevel(peak: 0, squares: 0)
      let level = unsafe source.map { unsafe kernels.level($0 + 1, frames) } ?? silence
      return unsafe MixInput(samples: source, level: level, cycle: 1)
    }
    let rooms = unsafe (0..<outputCount).map { _ in
      let room = UnsafeMutablePointer<Float>.allocate(capacity: frames + 2)
      unsafe room.initialize(repeating: 7, count: frames + 2)
      return unsafe room
    }
    defer { for index in unsafe rooms.indices { unsafe rooms[index].deallocate() } }
    var outputs = unsafe rooms.map { unsafe Optional($0) }
    if let missingOutput { unsafe outputs[missingOutput] = nil }
    var found = Array(repeating: MixLevel(peak: 9, squares: 9), count: outputCount)
    var inputRoom: [UnsafePointer<Float>?] = unsafe Array(repeating: nil, count: 8)
    var gainRoom = constant(0, 8)
    // From the last output to the first: the order is the list's, not that of the outputs.
    let order = (0..<Int32(outputCount)).map { Int32(outputCount) - 1 - $0 }
    let targets = unsafe Array(outputs.reversed())
    let singles = groups.filter { $0.count == 1 && $0.outputs == 1 }.map { group in
      MixSingle(
        input: places[Int(group.first_input)],
        output: order[Int(group.first_output)],
        gain: gains[Int(group.first_gain)],
      )
    }
    let pairs = groups.filter { $0.count == 2 && $0.outputs == 1 }.map { group in
      let first = (input: Int(group.first_input), gain: Int(group.first_gain))
      return MixPair(
        inputs: (places[first.input], places[first.input + 1]),
        output: order[Int(group.first_output)],
        gains: (gains[first.gain], gains[first.gain + 1]),
      )
    }
    let severals = groups.filter { $0.count < 1 || $0.count > 2 || $0.outputs != 1 }
    unsafe severals.withUnsafeBufferPointer { groups in
      unsafe places.withUnsafeBufferPointer { places in
        unsafe gains.withUnsafeBufferPointer { gains in
          unsafe order.withUnsafeBufferPointer { order in
            unsafe inputRoom.withUnsafeMutableBufferPointer { inputRoom in
              unsafe gainRoom.withUnsafeMutableBufferPointer { gainRoom in
                unsafe singles.withUnsafeBufferPointer { singles in
                  unsafe pairs.withUnsafeBufferPointer { pairs in
                    var all = unsafe MixGroups(
                      singles: singles.baseAddress,
                      single_count: Int32(singles.count),
                      pairs: pairs.baseAddress,
                      pair_count: Int32(pairs.count),
                      groups: groups.baseAddress,
                      count: Int32(groups.count),
                      inputs: places.baseAddress,
                      gains: gains.baseAddress,
                      outputs: order.baseAddress,
                      input_room: inputRoom.baseAddress,
                      gain_room: gainRoom.baseAddress,
                    )
                    unsafe kernels.sum_groups(&all, inputs, targets, 1, frames, &found)
                  }
                }
              }
            }
          }
        }
      }
    }
    for group in groups {
      for output in 0..<Int(group.outputs) {
        let place = Int(group.first_output) + output
        let heard = (0..<Int(group.count)).filter {
          unsafe sources[Int(places[Int(group.first_input) + $0])] != nil
        }
        let own = heard.map { gains[Int(group.first_gain) + $0 * Int(group.outputs) + output] }
        var alone = constant(7, frames + 2)
        var level = MixLevel(peak: 0, squares: 0)
        if heard.isEmpty {
          for frame in 1...frames { alone[frame] = 0 }
        } else if own == [1] {
          let source = unsafe try #require(sources[Int(places[Int(group.first_input)])])
          for frame in 1...frames { alone[frame] = unsafe source[frame] }
          level = unsafe kernels.level(source + 1, frames)
        } else {
          let chosen = unsafe heard.map { unsafe sources[Int(places[Int(group.first_input) + $0])] }
          level = unsafe kernels.sum(&alone, chosen, own, Int32(own.count), 1, frames)
        }
        if place == missingOutput {
          (alone, level) = (constant(7, frames + 2), MixLevel(peak: 0, squares: 0))
        }
        let samples = (0..<frames + 2).map { unsafe rooms[place][$0] }
        #expect(samples.map(\.bitPattern) == alone.map(\.bitPattern))
        let foundLevel = found[outputCount - 1 - place]
        #expect(foundLevel.peak == level.peak)
        #expect(abs(foundLevel.squares - level.squares) <= 1e-5 * level.squares)
      }
    }
  }

  @Test("moving gains go in a line, and add to the output", arguments: names, lengths)
  func ramps(name: String, frames: Int) throws {
    let kernels = unsafe try Self.kernels(name)
    let inputs = [noise(1, frames + 2), noise(2, frames + 2)]
    var output = constant(0.5, frames + 3)
    unsafe withPointers(to: inputs) {
      unsafe kernels.add_ramps(&output, $0, [1, 0.25], [-0.001, 0.0005], 2, 2, frames)
    }
    #expect(output[0] == 0.5 && output[1] == 0.5 && output[frames + 2] == 0.5)
    for frame in 0..<frames {
      let first = (1 - 0.001 * Double(frame)) * Double(inputs[0][frame + 2])
      let second = (0.25 + 0.0005 * Double(frame)) * Double(inputs[1][frame + 2])
      #expect(abs(Double(output[frame + 2]) - (0.5 + first + second)) < 1e-5)
    }
  }

  @Test("levels leave out no sample and count none twice", arguments: names, lengths)
  func level(name: String, frames: Int) throws {
    let kernels = unsafe try Self.kernels(name)
    for place in 0..<frames {
      var samples = constant(0, frames)
      samples[place] = -3
      let level = unsafe kernels.level(samples, frames)
      #expect(level.peak == 3)
      #expect(level.squares == 9)
    }
  }

  @Test("a sample that is no number shows in the squares and not in the peak", arguments: names)
  func notANumber(name: String) throws {
    let kernels = unsafe try Self.kernels(name)
    for place in 0..<70 {
      var samples = constant(0.5, 70)
      samples[place] = .nan
      let level = unsafe kernels.level(samples, 70)
      #expect(level.peak == 0.5)
      #expect(level.squares.isNaN)
    }
  }

  @Test("clears only the given frames", arguments: names, lengths)
  func clear(name: String, frames: Int) throws {
    let kernels = unsafe try Self.kernels(name)
    var samples = constant(1, frames + 2)
    unsafe samples.withUnsafeMutableBufferPointer { buffer in
      let outputs = unsafe [nil, buffer.baseAddress]
      unsafe kernels.clear_outputs(outputs, [1, 0], 2, 1, frames)
    }
    #expect(samples[0] == 1 && samples[frames + 1] == 1)
    #expect(samples[1..<frames + 1].allSatisfy { $0 == 0 })
  }

  /// The kernels of a name.
  static func kernels(_ name: String) throws -> MixKernels {
    let kernels = unsafe mix_kernels_named(name)?.pointee
    return unsafe try #require(kernels)
  }

  /// Calls `body` with the addresses of the arrays' samples.
  private func withPointers<Result>(
    to arrays: [[Float]],
    _ body: ([UnsafePointer<Float>?]) throws -> Result,
  ) rethrows -> Result {
    let copies = unsafe arrays.map { samples in
      let copy = UnsafeMutablePointer<Float>.allocate(capacity: samples.count + 1)
      for (index, sample) in samples.enumerated() { unsafe copy[index] = sample }
      return unsafe UnsafePointer(copy)
    }
    defer {
      for index in unsafe copies.indices { unsafe copies[index].deallocate() }
    }
    return try unsafe body(copies)
  }
}
