// SPDX-License-Identifier: MIT

/// The map from the frames of a stream to those of the file, across loops and rates.
///
/// A stream counts its output frames from 0. Pass 0 starts at `startFrame` of the file, later passes
/// at its frame 0.
///
/// Pure value: [any-thread].
struct PlaybackTimeline {
  /// The frame of the file that the stream starts with.
  let startFrame: Int
  /// Frames of the file per frame of the stream.
  let fileFramesPerFrame: Double
  /// The last pass to be played, counted from 0; nil to play for ever.
  private(set) var lastPass: Int?
  /// The position at which the stream ends by itself.
  var naturalEnd: Int?

  /// The number of the first pass in `passStarts`.
  private var firstPass = 0
  /// Frames of the stream at which passes start, ascending.
  private var passStarts = [0]

  init(startFrame: Int, fileFramesPerFrame: Double, looping: Looping) {
    self.startFrame = startFrame
    self.fileFramesPerFrame = fileFramesPerFrame
    setLooping(looping, atFrame: 0)
  }

  /// The number of the pass that was begun last.
  var newestPass: Int { firstPass + passStarts.count - 1 }

  /// The end of the stream, if it is known.
  var end: Int? {
    if let lastPass, lastPass < newestPass, lastPass >= firstPass {
      return passStarts[lastPass + 1 - firstPass]
    }
    return naturalEnd
  }

  /// Whether the pass begun last is one of those to be played.
  var mayReadOn: Bool { lastPass.map { newestPass <= $0 } ?? true }

  /// Whether another pass follows on the one begun last.
  var repeatsAfterNewestPass: Bool { lastPass.map { newestPass < $0 } ?? true }

  /// The looping that is left over at a frame.
  func remainingLooping(atFrame frame: Int) -> Looping {
    guard let lastPass else { return .forever }
    let count = lastPass - firstPass - passIndex(at: frame)
    return count > 0 ? .times(count) : .off
  }

  /// Counts the passes anew from the one that contains `frame`.
  mutating func setLooping(_ looping: Looping, atFrame frame: Int) {
    let current = firstPass + passIndex(at: frame)
    switch looping {
    case .off: lastPass = current
    case .times(let count): lastPass = current + max(0, count)
    case .forever: lastPass = nil
    }
  }

  /// Notes that the file starts again.
  ///
  /// - Parameters:
  ///   - frame: The position in the stream.
  ///   - consumed: The number of frames played; earlier passes are forgotten.
  mutating func beginPass(atFrame frame: Int, consumed: Int) {
    passStarts.append(frame)
    naturalEnd = nil
    // Forgotten in bulk, so that a file of a few frames does not shift the array at every pass.
    let current = passIndex(at: consumed)
    if current > 64, current > passStarts.count / 2 {
      passStarts.removeFirst(current)
      firstPass += current
    }
  }

  /// The end was set where the audio thread had already gone past: the pass it is in is the last.
  mutating func catchUp(consumed: Int) {
    if let end, end < consumed, lastPass != nil { setLooping(.off, atFrame: consumed) }
  }

  /// The frame of the file that comes after `consumed` frames of the stream.
  func fileFrame(at consumed: Int, length: Int?) -> Int {
    let index = passIndex(at: consumed)
    let base = firstPass + index == 0 ? startFrame : 0
    let gone = (Double(consumed - passStarts[index]) * fileFramesPerFrame).rounded(.down)
    return min(base + Int(gone), length ?? .max)
  }

  private func passIndex(at frame: Int) -> Int {
    var low = 0
    var high = passStarts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if passStarts[middle] <= frame { low = middle } else { high = middle }
    }
    return low
  }
}
