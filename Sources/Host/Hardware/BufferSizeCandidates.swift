// SPDX-License-Identifier: MIT

/// The buffer sizes worth trying for a preferred one, the nearest first.
///
/// Most drivers take any size, or multiples of a small number, or powers of two; so the sizes of these
/// kinds around the wanted one are offered in the order of their distance on a logarithmic scale, which
/// is how latency is felt. [any-thread]
enum BufferSizeCandidates {
  /// The sizes that JACK servers accept, in frames.
  static let allowedFrames = 1...8192

  /// The sizes to try.
  ///
  /// - Parameters:
  ///   - frames: The wanted size; outside of `allowedFrames` it is clamped.
  ///   - powersOfTwo: Whether the server takes no other sizes, as PipeWire.
  /// - Returns: At most 24 different sizes in frames, the wanted one first where it is possible.
  static func around(_ frames: Int, powersOfTwo: Bool = false) -> [Int] {
    let wanted = min(max(frames, allowedFrames.lowerBound), allowedFrames.upperBound)
    if powersOfTwo {
      return (4...13).map { 1 << $0 }.sorted { distance($0, wanted) < distance($1, wanted) }
    }
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
