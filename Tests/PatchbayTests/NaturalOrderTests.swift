// SPDX-License-Identifier: MIT

import Patchbay
import Testing

struct NaturalOrderTests {
  @Test(arguments: [
    ["playback_1", "playback_2", "playback_10"],
    ["system:capture_9", "system:capture_10", "system:capture_100"],
    ["a", "a1", "a1b", "a2", "b"],
    ["FL", "FR", "fl"],
    ["out", "out_1"],
  ])
  func `names are ordered as people count`(names: [String]) {
    #expect(names.reversed().sorted(by: NaturalOrder.areInIncreasingOrder) == names)
  }

  @Test func `a name never comes before itself, and one of two different ones comes first`() {
    let names = ["", "1", "01", "a1", "a01", "1a", "٣", "a٣", "99999999999999999999", "å2", "é10"]
    for first in names {
      for second in names {
        let before = NaturalOrder.areInIncreasingOrder(first, second)
        let after = NaturalOrder.areInIncreasingOrder(second, first)
        #expect(first == second ? !before && !after : before != after, "\(first) \(second)")
      }
    }
  }
}
