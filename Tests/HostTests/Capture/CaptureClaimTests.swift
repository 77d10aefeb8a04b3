// SPDX-License-Identifier: MIT

import Sessions
import Testing

@testable import Host

/// The consequences of a permission and a session: every combination.
struct CaptureClaimTests {
  @Test(arguments: [RecordPermission.undetermined, .denied, .granted], [true, false])
  func `gates are open for those with permission only, while their session records`(
    _ permission: RecordPermission,
    _ isRestricted: Bool,
  ) {
    func claim(_ isSessionOpen: Bool?) -> CaptureClaim {
      CaptureClaim(
        permission: permission,
        isRestricted: isRestricted,
        isSessionOpen: isSessionOpen,
      )
    }
    let isGranted = permission == .granted
    #expect(claim(nil).mayHear == isGranted)
    #expect(claim(true).mayHear == isGranted)
    #expect(claim(false).mayHear == (isGranted && !isRestricted))
  }

  @Test func `without a restriction only a denial needs a gate`() {
    for permission in [RecordPermission.undetermined, .denied, .granted] {
      let claim = CaptureClaim(permission: permission, isRestricted: false, isSessionOpen: true)
      #expect(claim.needsGate == (permission == .denied))
    }
  }

  @Test func `with a restriction only a permission without a session needs none`() {
    for isSessionOpen in [nil, true, false] {
      for permission in [RecordPermission.undetermined, .denied, .granted] {
        let claim = CaptureClaim(
          permission: permission,
          isRestricted: true,
          isSessionOpen: isSessionOpen,
        )
        #expect(claim.needsGate == !(permission == .granted && isSessionOpen == nil))
      }
    }
  }
}
