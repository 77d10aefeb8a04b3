// SPDX-License-Identifier: MIT

/// All that the playback ports of a stepped server had: the newest 16 million samples, which are 64 MB.
struct Tape: Sendable {
  private static let limit = 16 << 20

  /// The frame of the oldest sample.
  private(set) var firstFrame = 0
  private(set) var channels: [[Float]]

  var endFrame: Int { firstFrame + (channels.first?.count ?? 0) }

  init(channels: Int) { self.channels = Array(repeating: [], count: channels) }

  /// Takes the sound of the next cycle.
  mutating func append(_ cycle: [[Float]]) {
    for channel in channels.indices { channels[channel] += cycle[channel] }
    guard let count = channels.first?.count, count * channels.count > Self.limit else { return }
    // Half of it, so that not every cycle moves all samples.
    for channel in channels.indices { channels[channel].removeFirst(count / 2) }
    firstFrame += count / 2
  }

  /// The samples of a channel from one frame to another.
  func samples(_ channel: Int, _ frames: Range<Int>) -> [Float] {
    precondition(
      frames.lowerBound >= firstFrame,
      "frame \(frames.lowerBound) is no longer on the tape, which begins at \(firstFrame)",
    )
    let range = (frames.lowerBound - firstFrame)..<(frames.upperBound - firstFrame)
    return Array(channels[channel][range])
  }

  /// The samples of all channels from a frame on.
  func sound(from frame: Int) -> SteppedSound {
    let channels = channels.indices.map { samples($0, frame..<endFrame) }
    return SteppedSound(firstFrame: frame, channels: channels)
  }
}

/// The samples that the capture ports of a stepped server bring: given samples once or in a loop, then silence.
struct Source: Sendable {
  var samples: [[Float]] = []
  var loops = false
  private var position = 0

  init(_ samples: [[Float]] = [], loops: Bool = false) {
    self.samples = samples
    self.loops = loops
  }

  /// The samples of the next cycle.
  ///
  /// - Parameters:
  ///   - frames: The length of the cycle.
  ///   - channels: The number of capture ports; those without samples are silent.
  /// - Returns: The samples, channel by channel.
  mutating func next(_ frames: Int, channels: Int) -> [[Float]] {
    defer { position += frames }
    return (0..<channels).map { channel in
      guard channel < samples.count else { return Array(repeating: 0, count: frames) }
      return part(of: samples[channel], frames)
    }
  }

  private func part(of samples: [Float], _ frames: Int) -> [Float] {
    var result: [Float] = []
    var start = position
    while result.count < frames {
      if loops, !samples.isEmpty { start %= samples.count }
      guard start < samples.count else { break }
      let end = Swift.min(samples.count, start + frames - result.count)
      result += samples[start..<end]
      start = end
    }
    return result + Array(repeating: 0, count: frames - result.count)
  }
}
