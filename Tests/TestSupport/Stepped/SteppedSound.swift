// SPDX-License-Identifier: MIT

/// The samples that the playback ports had in some cycles, channel by channel, and where they stood.
public struct SteppedSound: Sendable, Equatable, RandomAccessCollection {
  /// The frame of the first sample, as ``SteppedServer/frame`` counts.
  public let firstFrame: Int
  /// The samples, channel by channel, all of the same length.
  public let channels: [[Float]]

  /// The number of frames of each channel.
  public var frames: Int { channels.first?.count ?? 0 }

  /// The first channel.
  public var startIndex: Int { channels.startIndex }
  /// Behind the last channel.
  public var endIndex: Int { channels.endIndex }
  /// The samples of a channel.
  public subscript(channel: Int) -> [Float] { channels[channel] }
}

/// A MIDI message of a stepped server's hardware port.
public struct SteppedMIDI: Sendable, Equatable {
  /// When it sounds, as ``SteppedServer/frame`` counts.
  public let frame: Int
  /// The message.
  public let bytes: [UInt8]

  /// Makes a message.
  public init(frame: Int, bytes: [UInt8]) {
    self.frame = frame
    self.bytes = bytes
  }
}

/// The first sample that is not as expected, in words; nil where all are.
///
/// - Parameters:
///   - heard: The samples.
///   - expected: The right samples, to the bit.
/// - Returns: The place and both samples, or both lengths.
public func difference(
  _ heard: some Collection<Float>,
  from expected: some Collection<Float>,
) -> String? {
  guard heard.count == expected.count else {
    return "\(heard.count) samples instead of \(expected.count)"
  }
  for (index, pair) in zip(heard, expected).enumerated() where pair.0 != pair.1 {
    return "sample \(index) of \(heard.count) is \(pair.0), not \(pair.1)"
  }
  return nil
}
