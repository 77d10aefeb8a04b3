// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import Foundation
internal import JACK
internal import Sessions

extension SideAudio {
  /// Connects a recorder with the session's input route.
  ///
  /// - Throws: `NSError` if no host or server can be reached.
  /// [control-thread]
  func add(_ recording: Recording, channels: Int) throws {
    try lock.withLock {
      try prepare()
      self.recording = recording
      do {
        try withOpen { open in
          while open.inputs.count < channels {
            let name = "in_\(open.inputs.count + 1)"
            open.inputs.append(try open.client.connection.register(name))
          }
        }
      } catch let error as JACKError {
        throw NSError.session(.mediaServicesFailed, "\(error)", rule: "RST-1")
      }
      publish()
    }
    followInput()
  }

  /// Takes the recorder away from the inputs.
  /// [control-thread]
  func removeRecording() {
    lock.withLock {
      recording = nil
      publish()
    }
  }

  /// Connects the inputs with the JACK ports of the session's input route, and lets the recorder receive them if the
  /// permission and the mute allow it (PRM-1).
  ///
  /// Without a session there is nothing to follow.
  /// [control-thread]
  func followInput() {
    let detail = try? ask(GetSession.self) { GetSession.Params(session: $0) }
    guard let detail else { return }
    let ports = detail.route.inputs.flatMap(\.jackPorts)
    let isOpen = detail.permission == .granted && detail.active && !detail.inputMuted
    lock.withLock {
      try? withOpen { open in
        open.client.setInputOpen(isOpen)
        let wanted = open.inputs.indices.map { ports.indices.contains($0) ? ports[$0] : nil }
        try open.patch.follow(open.client.connection, wanted)
      }
    }
  }
}
