// SPDX-License-Identifier: MIT

import Testing

@testable import Host

/// The names of sessions.
struct TowerNamesTests {
  @Test(arguments: [
    ("Mixxx", "Mixxx"), ("naïve app", "na-ve-app"), ("", "session"), ("a:b/c", "a-b-c"),
    ("$HOME …", "HOME"),
    ("Плеер", "session"),
  ])
  func `names of sessions fit into port names`(app: String, name: String) {
    #expect(SessionName.made(from: app) == name)
  }
}
