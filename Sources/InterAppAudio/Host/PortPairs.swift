// SPDX-License-Identifier: MIT

/// Which port goes with which when two lists of channels are connected.
public enum PortPairs {
  /// Pairs channel by channel; a single port on a side goes with all of the other's.
  ///
  /// - Throws: ``InterAppAudioError`` `invalidFormat` where a side is empty, or both have more than
  ///   one channel and not as many.
  public static func pairs(
    _ sources: [String],
    _ destinations: [String],
  ) throws(InterAppAudioError) -> [(source: String, destination: String)] {
    guard !sources.isEmpty, !destinations.isEmpty,
      sources.count == destinations.count || sources.count == 1 || destinations.count == 1
    else {
      throw InterAppAudioError(
        .invalidFormat,
        "\(sources.count) channels cannot be connected with \(destinations.count): "
          + "as many are needed, or one on a side",
      )
    }
    return (0..<max(sources.count, destinations.count)).map { index in
      (
        sources[sources.count == 1 ? 0 : index],
        destinations[destinations.count == 1 ? 0 : index]
      )
    }
  }
}
