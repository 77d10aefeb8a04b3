// SPDX-License-Identifier: MIT

import DeviceBridge
import Testing

struct EdgeSmootherTests {
  /// Plays pieces of two channels, nil for silence, in parts of `part` frames.
  private func play(_ pieces: [[Float]?], part: Int, broken: Set<Int> = []) -> [Float] {
    var smoother = EdgeSmoother(channels: 2)
    var buffer = [Float](repeating: .nan, count: 2 * EdgeSmoother.fadeFrames)
    var heard: [Float] = []
    for (number, piece) in pieces.enumerated() {
      if broken.contains(number) { smoother.breakOff() }
      let samples = piece ?? [Float](repeating: 0, count: 600)
      var done = 0
      while done < samples.count / 2 {
        unsafe samples.withUnsafeBufferPointer { all in
          unsafe buffer.withUnsafeMutableBufferPointer { buffer in
            guard let room = buffer.baseAddress, let first = all.baseAddress else { return }
            let source = unsafe piece == nil ? nil : first + 2 * done
            let left = min(part, samples.count / 2 - done)
            let made = unsafe smoother.prepare(source, frames: left, in: room)
            let used = unsafe made > 0 ? UnsafePointer(room) : source
            let count = made > 0 ? min(made, 7) : left
            unsafe smoother.use(used, frames: count)
            for index in 0..<(2 * count) { unsafe heard.append(used?[index] ?? 0) }
            done += count
          }
        }
      }
    }
    return heard
  }

  private func steps(_ heard: [Float], channel: Int) -> Float {
    (1..<(heard.count / 2)).map { abs(heard[2 * $0 + channel] - heard[2 * $0 + channel - 2]) }.max()
      ?? 0
  }

  private let loud = [Float](repeating: 0.8, count: 1000).enumerated().map {
    $0.offset % 2 == 0 ? $0.element : -$0.element
  }

  @Test(arguments: [1, 33, 500])
  func `a gap in full sound has no edges, and sound beyond the fades is untouched`(part: Int) {
    let heard = play([loud, nil, loud], part: part)
    #expect(heard.count == 2600)
    for channel in 0..<2 { #expect(steps(heard, channel: channel) < 0.02) }
    #expect(heard[(2 * 128)..<1000].elementsEqual(loud[(2 * 128)...]))
    #expect(heard[(1000 + 2 * 128)..<1600].allSatisfy { $0 == 0 })
    #expect(heard[(1600 + 2 * 128)...].elementsEqual(loud[(2 * 128)...]))
  }

  @Test func `frames that are left out make no step, and unbroken sound stays as it is`() {
    let quiet = loud.map { $0 * -0.5 }
    #expect(steps(play([loud, quiet], part: 100, broken: [1]), channel: 0) < 0.02)
    #expect(steps(play([loud, quiet], part: 100), channel: 0) > 1)
    #expect(Array(play([nil, nil, loud, loud], part: 100)[2200...]) == loud)
  }

  @Test func `an edge while the last one still fades is no step either`() {
    let short = Array(loud[..<40])
    let heard = play([loud, nil, short, short, nil, loud], part: 64, broken: [3])
    for channel in 0..<2 { #expect(steps(heard, channel: channel) < 0.02) }
  }
}
