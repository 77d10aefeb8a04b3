// SPDX-License-Identifier: MIT

import AVFAudio
import Testing

/// Sources for iOS compile in Swift 5 mode as they are; that the app can be made says so.
@MainActor
struct SourceTests {
  @Test func `an app's audio that was written for iOS can be made`() {
    #expect(AudioManager.shared === AudioManager.shared)
  }
}
