// SPDX-License-Identifier: MIT

import Testing

@testable import ServiceDiscovery

/// Names and records of services.
struct NetworkServiceTests {
  @Test(arguments: [
    ("dj-split", "dj-split"), ("", "MultiRoute"), ("a\nb\u{0}c", "abc"),
    (String(repeating: "x", count: 70), String(repeating: "x", count: 63)),
    (String(repeating: "ö", count: 40), String(repeating: "ö", count: 31)),
  ])
  func `a name is cut to 63 bytes at a character`(name: String, fitting: String) {
    #expect(NetworkService.name(fitting: name) == fitting)
  }

  @Test func `the first entry of a record is its version`() {
    let service = NetworkService(type: "_http._tcp", port: 80, texts: ["path=/"])
    #expect(service.texts == ["txtvers=1", "path=/"])
  }
}
