// SPDX-License-Identifier: MIT

import Testing

@testable import Sessions

@Suite("Traits that change while a log is rehearsed")
struct TraitChangeTests {
  /// A change of each trait alone.
  private static let changes: [@Sendable (inout SessionTraits) -> Void] = [
    { $0.hasBackgroundAudio.toggle() }, { $0.suspendsInBackground.toggle() },
    { $0.isInterAppConnected.toggle() }, { $0.takesRemoteCommands.toggle() },
    { $0.registersWhilePlaying.toggle() }, { $0.isActiveWhileSounding.toggle() },
    { $0.prefersInterruptionOnRouteDisconnect = true },
    { $0.prefersNoInterruptionsFromSystemAlerts.toggle() },
    { $0.appliesPreferencesAtOnce = true }, { $0.isAlwaysInForeground.toggle() },
    { $0.music = .background }, { $0.playsSystemSounds.toggle() },
    { $0.reactions = Reactions(interruptionEnd: .stayInactive, unplug: .pause) },
    { $0.pinnedOutputs = ["usb"] },
    { $0.preferredOutputs = PreferredOutputs(uids: ["a"], known: []) },
  ]

  @Test("a policy's session takes the trait that was changed, and keeps all others")
  func each() {
    #expect(Mirror(reflecting: SessionTraits()).children.count == Self.changes.count)
    for (changed, change) in Self.changes.enumerated() {
      let recorded = SessionTraits()
      var after = recorded
      change(&after)
      #expect(after != recorded)
      for (other, otherChange) in Self.changes.enumerated() where other != changed {
        var own = SessionTraits()
        otherChange(&own)
        var expected = own
        change(&expected)
        #expect(own.taking(from: recorded, to: after) == expected, "\(changed), \(other)")
        #expect(own.taking(from: after, to: after) == own)
      }
    }
  }
}
