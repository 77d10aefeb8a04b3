// SPDX-License-Identifier: MIT

/// The buffer sizes worth trying for a preferred one, the nearest first.
///
/// Most drivers take any size, or multiples of a small number, or powers of two; so the sizes of these
/// kinds around the wanted one are offered in the order of their distance on a logarithmic scale, which
/// is how latency is felt.
enum BufferSizeCandidates {
  /// What JACK servers accept at all, in frames.
  static let allowedFrames = 1...8192

  /// The sizes to try.
  ///
  /// - Parameter frames: The wanted size; outside of `allowedFrames` it is clamped.
  /// - Returns: At most 24 sizes in frames, the wanted one first, none twice.
  static func around(_ frames: Int) -> [Int] {
    let wanted = min(max(frames, allowedFrames.lowerBound), allowedFrames.upperBound)
    var sizes: Set<Int> = []
    for grain in [4, 8, 16, 32, 48, 64] {
      let below = wanted / grain * grain
      sizes.formUnion([below, below + grain])
    }
    for exponent in 4...13 {
      sizes.formUnion([1 << exponent, 3 << (exponent - 1)])
    }
    sizes = sizes.filter(allowedFrames.contains)
    sizes.remove(wanted)
    let ordered = sizes.sorted {
      (distance($0, wanted), $0) < (distance($1, wanted), $1)
    }
    return [wanted] + ordered.prefix(23)
  }

  /// The ratio of the larger to the smaller.
  private static func distance(_ first: Int, _ second: Int) -> Double {
    Double(max(first, second)) / Double(min(first, second))
  }
}
