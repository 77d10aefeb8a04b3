// SPDX-License-Identifier: MIT

import Testing

@testable import Console

@Suite struct UnifiedDiffTests {
  @Test func `equal texts have no difference`() {
    #expect(UnifiedDiff.text(from: "a\nb", to: "a\nb", path: "x", newPath: "x").isEmpty)
  }

  @Test func `changes far from each other are hunks of their own`() {
    let old = (1...12).map { "\($0)\n" }.joined()
    let new = old.replacing("2\n3\n", with: "2\nthree\n", maxReplacements: 1) + "13"
    let expected = """
      --- a
      +++ b
      @@ -1,6 +1,6 @@
       1
       2
      -3
      +three
       4
       5
       6
      @@ -10,3 +10,4 @@
       10
       11
       12
      +13
      \\ No newline at end of file

      """
    #expect(UnifiedDiff.text(from: old, to: new, path: "a", newPath: "b") == expected)
  }
}
