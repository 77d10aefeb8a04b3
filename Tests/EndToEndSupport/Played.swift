// SPDX-License-Identifier: MIT

/// A recording compared with the loop that was played, from its first sound to its last.
struct Played {
  /// The longest run of samples that are missing.
  private(set) var longestGapFrames = 0
  /// Whether any sample is neither silent nor the loop's next, as it comes directly or by the strip.
  private(set) var isOtherwise = false

  init(_ heard: [Float], loop: [Float], stripGainLinear: Float = 1) {
    guard let first = heard.firstIndex(where: { $0 != 0 }),
      let last = heard.lastIndex(where: { $0 != 0 }),
      let position = Signals.longestMatch(of: heard, from: first, inLoop: loop)?.position
    else {
      isOtherwise = true
      return
    }
    var gap = 0
    for index in first...last {
      let expected = loop[(position + index - first) % loop.count]
      if heard[index] == expected || abs(heard[index] - expected * stripGainLinear) < 1e-6 {
        gap = 0
      } else if heard[index] == 0 {
        gap += 1
        longestGapFrames = max(longestGapFrames, gap)
      } else {
        isOtherwise = true
      }
    }
  }
}
