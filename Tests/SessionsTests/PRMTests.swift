// SPDX-License-Identifier: MIT

import Sessions
import Testing

@Suite("PRM: permission to record")
struct PRMTests {
  static let one = SessionID(rawValue: 1)

  @Test("PRM-1 undetermined and denied: silence, not an error; granted: heard; revoked: silence")
  func gate() {
    var scene = Scene()
    scene.open(1, .recording)
    #expect(scene.ask(1, .activate) == .done)
    #expect(scene[1]?.isCaptureOpen == false)
    for (permission, isOpen) in [
      (RecordPermission.denied, false), (.granted, true), (.denied, false), (.granted, true),
    ] {
      scene.do(.permissionAnswered(app: "app1", permission: permission))
      #expect(scene[1]?.isCaptureOpen == isOpen)
      #expect(scene.notices(1) == [.recordPermissionChanged(permission: permission)])
      #expect(scene[1]?.isActive == true)
    }
  }

  @Test(
    "PRM-1 asked by the call: the answer comes when the user gave it, once for all waiting requests"
  )
  func asking() {
    var scene = Scene()
    scene.open(1, .recording, app: "recorder")
    scene.open(2, .recording, app: "recorder")
    #expect(scene.ask(1, .requestRecordPermission) == nil)
    #expect(scene.effects.contains(.askPermission(session: Self.one, app: "recorder")))
    #expect(scene.ask(2, .requestRecordPermission) == nil)
    #expect(!scene.effects.contains { if case .askPermission = $0 { true } else { false } })
    scene.do(.permissionAnswered(app: "recorder", permission: .granted))
    #expect(scene.replies.count == 2)
    #expect(scene.replies.values.allSatisfy { $0 == .recordPermission(isGranted: true) })
    #expect(scene.ask(1, .requestRecordPermission) == .recordPermission(isGranted: true))
  }

  @Test("PRM-1 each session may have so many requests waiting for the user, and no more")
  func limit() {
    var scene = Scene { $0.waitingRequestLimit = 2 }
    scene.open(1, .recording)
    scene.open(2, .recording)
    for id in [1, 1, 2, 2] as [UInt32] { #expect(scene.ask(id, .requestRecordPermission) == nil) }
    for id in [1, 2] as [UInt32] {
      #expect(scene.refusal(id, .requestRecordPermission)?.code == .isBusy)
    }
    scene.do(.permissionAnswered(app: "app1", permission: .granted))
    #expect(scene.replies.count == 2)
    #expect(scene.refusal(2, .requestRecordPermission)?.code == .isBusy)
    scene.do(.permissionAnswered(app: "app2", permission: .denied))
    #expect(scene.replies.values.map { $0 == .recordPermission(isGranted: false) } == [true, true])
  }

  @Test("PRM-1 asked by the host on the first use of an input, and only then")
  func firstUse() {
    var scene = Scene()
    scene.open(1, .music)
    scene.do(.ioStarted(session: Self.one))
    #expect(!scene.effects.contains { if case .askPermission = $0 { true } else { false } })
    scene.open(2, .both)
    scene.do(.ioStarted(session: SessionID(rawValue: 2)))
    #expect(scene.effects.contains(.askPermission(session: SessionID(rawValue: 2), app: "app2")))
  }

  @Test("PRM-1 a session that closes while it waits is answered too")
  func closedWhileWaiting() {
    var scene = Scene()
    scene.open(1, .recording)
    scene.ask(1, .requestRecordPermission)
    scene.do(.sessionClosed(session: Self.one, cause: .died))
    guard case .refused(let error) = scene.replies[RequestID(rawValue: 1)] else {
      Issue.record("not answered")
      return
    }
    #expect(error.code == .expiredSession)
    scene.do(.permissionAnswered(app: "app1", permission: .granted))
    #expect(scene.replies.isEmpty)
  }

  @Test("PRM-1 the default for programs without an answer comes from the configuration")
  func configured() {
    var scene = Scene { $0.defaultPermission = .granted }
    scene.open(1, .recording)
    scene.ask(1, .activate)
    #expect(scene[1]?.isCaptureOpen == true)
    scene.ask(1, .setInputMuted(isMuted: true))
    #expect(scene[1]?.isCaptureOpen == false)
    #expect(scene.notices(1) == [.inputMuteChanged(isMuted: true)])
  }
}
