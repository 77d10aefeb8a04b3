// SPDX-License-Identifier: MIT

import Testing

/// Where the tests begin: without the index of editors SwiftPM does not find this by itself.
@main struct XCTMain {
  static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
