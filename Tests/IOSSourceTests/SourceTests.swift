// SPDX-License-Identifier: MIT

import AVFAudio
import Testing

/// Sources for iOS compile unchanged in Swift 5 mode.
@MainActor
struct SourceTests {
  @Test func `the audio of an app for iOS can be made`() {
    #expect(AudioManager.shared === AudioManager.shared)
  }
}
