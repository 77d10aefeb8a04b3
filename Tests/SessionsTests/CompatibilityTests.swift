// SPDX-License-Identifier: MIT

import Sessions
import Testing

@Suite("Versions of the SDK")
struct CompatibilityTests {
  @Test(
    "names from ios7 to ios27, and latest",
    arguments: [
      ("latest", 27), ("ios7", 7), ("ios17", 17), ("ios26", 26), ("ios27", 27), ("ios6", nil),
      ("ios28", nil), ("ios", nil), ("17", nil), ("", nil), ("iOS17", nil), ("ios17x", nil),
    ]
  )
  func names(name: String, version: Int?) {
    let compatibility = Compatibility(name: name)
    #expect(compatibility?.majorVersion == version)
    if let compatibility, name != "ios27" { #expect(compatibility.name == name) }
  }

  @Test("versions beyond the ends count as the ends")
  func ends() {
    #expect(Compatibility(majorVersion: 3).majorVersion == 7)
    #expect(Compatibility(majorVersion: 99).majorVersion == 27)
    #expect(Compatibility(majorVersion: 27).name == "latest")
  }

  @Test("options that a category implies are refused from version 26 on, or as asked")
  func implicitOptions() {
    #expect(Compatibility(majorVersion: 25).implicitOptions == .ignored)
    #expect(Compatibility(majorVersion: 26).implicitOptions == .refused)
    #expect(Compatibility(majorVersion: 27, implicitOptions: .ignored).implicitOptions == .ignored)
    #expect(Compatibility(majorVersion: 7, implicitOptions: .refused).implicitOptions == .refused)
  }
}
