// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import EndToEndSupport

/// The page in Chromium: each test is a script of `Tests/Browser`, and its message says what failed.
@Suite(.serialized, .timeLimit(.minutes(4)))
struct BrowserTests {
  @Test(.jackServer(frames: 256, channels: 4))
  func `each view opens without a fault, for everybody, on a phone and a desktop`() async throws {
    let rig = try await BrowserRig()
    try await rig.run("views.py")
    #expect(try await rig.host.stop() == .code(0))
  }

  @Test(.jackServer(frames: 256, channels: 4))
  func `a fader follows mouse, finger, keys and others, and never jumps`() async throws {
    let rig = try await BrowserRig()
    try await rig.run("faders.py")
    #expect(try await rig.host.stop() == .code(0))
  }

  @Test(.jackServer(frames: 256, channels: 4))
  func `the page tells a host that has ended from a link that is lost`() async throws {
    let rig = try await BrowserRig()
    try await rig.run("ended.py")
    #expect(try await rig.host.stop() == .code(0))
  }
}
