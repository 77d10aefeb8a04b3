// SPDX-License-Identifier: MIT

/// A recording compared with the loop that was played, from its first sound to its last.
struct Played {
  /// How many samples tell a place of the loop, which is noise, from any other.
  private static let markFrames = 8

  /// The longest run of samples that are missing.
  private(set) var longestGapFrames = 0
  /// The first sample that is neither silent nor the loop's next, as it comes directly or by the strip.
  private(set) var other: String?

  init(_ heard: [Float], loop: [Float], stripGainLinear: Float = 1) {
    func isNext(_ sample: Float, _ expected: Float) -> Bool {
      sample == expected || abs(sample - expected * stripGainLinear) < 1e-6
    }
    // Already the first sound may be the strip's.
    guard let first = heard.firstIndex(where: { $0 != 0 }),
      let last = heard.lastIndex(where: { $0 != 0 }), last - first >= Self.markFrames,
      let position = loop.indices.first(where: { start in
        (0..<Self.markFrames).allSatisfy {
          isNext(heard[first + $0], loop[(start + $0) % loop.count])
        }
      })
    else {
      other = "nothing of the loop is heard"
      return
    }
    var gap = 0
    for index in first...last {
      let expected = loop[(position + index - first) % loop.count]
      if isNext(heard[index], expected) {
        gap = 0
      } else if heard[index] == 0 {
        gap += 1
        longestGapFrames = max(longestGapFrames, gap)
      } else if other == nil {
        let place = "frame \(index - first) of \(last - first)"
        other = "\(place) is \(heard[index]) instead of \(expected)"
      }
    }
  }
}
