// SPDX-License-Identifier: MIT

import ControlProtocol
import OSC
import Testing

@testable import Surfaces

@Suite
struct OSCPatternTests {
  private func matches(_ pattern: String, _ address: String) throws -> Bool {
    let parts = address.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return try OSCPattern(pattern).matches(parts.dropFirst().map(Array.init))
  }

  @Test(arguments: [
    ("/strip/*/gain", "/strip/deck-a/gain"), ("/strip/deck-?/gain", "/strip/deck-b/gain"),
    ("/strip/deck-[ab]/gain", "/strip/deck-a/gain"), ("/strip/deck-[a-c]/*", "/strip/deck-b/mute"),
    ("/strip/deck-[!a]/gain", "/strip/deck-b/gain"),
    ("/strip/{mic,deck-a}/gain", "/strip/mic/gain"),
    ("/*/*", "/strip/a"), ("/strip/*a*c", "/strip/xaxbc"), ("/strip/{a,ab}c", "/strip/abc"),
    ("/strip/**", "/strip/"), ("/strip/[a-]", "/strip/-"), ("/my%20deck*", "/my%20deck-2"),
  ])
  func `OSC-5 patterns reach addresses`(pattern: String, address: String) throws {
    #expect(try matches(pattern, address))
  }

  @Test(arguments: [
    ("/strip/*", "/strip/a/gain"), ("/strip/*/gain", "/strip/a/mute"), ("/*", "/strip/a"),
    ("/strip/deck-?", "/strip/deck-"), ("/strip/[!a]", "/strip/a"), ("/strip/[a-c]", "/strip/d"),
    ("/strip/{a,b}", "/strip/c"), ("/strip/*/gain", "/strip/gain"), ("/strip/a*b", "/strip/acbd"),
  ])
  func `OSC-6 patterns stay within one part between slashes`(pattern: String, address: String)
    throws
  {
    #expect(try !matches(pattern, address))
  }

  @Test(arguments: [
    ("//gain", "/strip/a/gain"), ("//gain", "/gain"), ("/strip//gain", "/strip/a/send/b/gain"),
    ("/strip//gain", "/strip/gain"), ("/strip//", "/strip/a/gain"), ("//", "/a"),
    ("//send//gain", "/strip/a/send/b/gain"), ("//{a,b}/*", "/strip/a/gain"),
    ("///gain", "/strip/a/gain"), ("//*", "/strip/a/gain"),
  ])
  func `OSC-5 two slashes reach all levels`(pattern: String, address: String) throws {
    #expect(OSCPattern.isPattern(pattern))
    #expect(try matches(pattern, address))
  }

  @Test(arguments: [
    ("//gain", "/strip/a/mute"), ("//gain", "/strip/a/gain/x"), ("/strip//gain", "/route/a/gain"),
    ("//a//b", "/x/b/a"), ("//gain", "/strip/again"), ("/strip*/", "/strip/a"),
  ])
  func `OSC-5 two slashes reach nothing else`(pattern: String, address: String) throws {
    #expect(try !matches(pattern, address))
  }

  @Test(arguments: ["/a[b", "/a{b", "/a]", "/a}", "/\(String(repeating: "*", count: 600))"])
  func `patterns without an end, and too long ones, are refused`(pattern: String) {
    #expect(throws: OSCError.self) { try OSCPattern(pattern) }
  }

  @Test func `the worst patterns take no longer than others`() throws {
    let name = "/" + String(repeating: "a", count: 200)
    let start = ContinuousClock.now
    for _ in 0..<20 {
      #expect(try !matches("/" + String(repeating: "*a", count: 200) + "b", name))
      #expect(try !matches("/" + String(repeating: "{a,aa}", count: 80) + "b", name))
    }
    let address = "/" + Array(repeating: "a", count: 100).joined(separator: "/")
    for _ in 0..<20 {
      #expect(try !matches(String(repeating: "//a", count: 160) + "//b", address))
    }
    // Matching that goes back would take years.
    #expect(ContinuousClock.now - start < .seconds(10))
  }
}
