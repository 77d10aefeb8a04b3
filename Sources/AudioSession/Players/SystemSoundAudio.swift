// SPDX-License-Identifier: MIT

internal import AudioFiles
internal import ControlProtocol
internal import ControlSocket
internal import Foundation
internal import JACK
internal import Realtime
internal import Synchronization

/// The JACK client of the app's system sounds, with a session of its own at the host (PLR-5).
///
/// That session is never active: its strip is heard beside everything, and only the silent switch and the screen lock
/// silence it. The app's own session stays as it is. [any-thread] except an audio thread.
@safe
final class SystemSoundAudio: @unchecked Sendable {
  /// The duration of a fade, in frames.
  static let fadeFrames = 240

  /// An open client with its ports and its session; protected by ``lock``.
  @safe
  private struct Open: ~Copyable {
    var client: AppClient
    let outputs: [AudioOutputPort]
  }

  private let lock = NSRecursiveLock()
  private var open: Open?
  private var link: HostLink?
  private var voices: [SystemSoundID: Voice] = [:]
  private var lastPlan: UInt64 = 0
  /// The sample rate of the client's server.
  private var rateHz = 48_000.0

  /// Makes a sound heard from now on, whenever its file plays.
  ///
  /// - Throws: `NSError` if no host or server can be reached.
  /// [control-thread]
  func add(_ file: FilePlayer, as id: SystemSoundID) throws {
    try lock.withLock {
      if link?.isOpen != true {
        close()
        try openClient()
      }
      try file.reconfigure(outputSampleRateHz: rateHz)
      guard voices[id] == nil else { return }
      voices[id] = Voice(player: file, outputs: Array(0..<file.info.channels))
      publish()
    }
  }

  /// Removes a sound.
  /// [control-thread]
  func remove(_ id: SystemSoundID) {
    lock.withLock {
      if voices.removeValue(forKey: id) != nil { publish() }
    }
  }

  /// Mutes or unmutes all sounds with a fade (INT-5).
  /// [control-thread]
  func setMuted(_ isMuted: Bool) {
    lock.withLock {
      for voice in voices.values {
        let gains = [Float](repeating: isMuted ? 0 : 1, count: voice.channels)
        voice.setGains(gains, fadeFrames: Self.fadeFrames)
      }
    }
  }

  /// Closes the client and its session, because the server or the host has ended (RST-1).
  /// [control-thread]
  func close() {
    lock.withLock {
      voices.removeAll()
      link?.close()
      link = nil
      guard let open = open.take() else { return }
      open.client.close()
    }
  }

  // MARK: - Inside

  /// Opens the client and the session; the caller holds the lock.
  private func openClient() throws {
    let server = try SessionController.shared.serverName()
    do {
      let client = try OpenedClient.open(name: Self.clientName, server: server)
      let connection = client.connection
      let outputs: [AudioOutputPort] = [
        try connection.register("out_1"), try connection.register("out_2"),
      ]
      rateHz = Double(try connection.sampleRateHz)
      let active = try AppClient(client, plan: makePlan(outputs))
      do {
        link = try openSession(ports: connection.name + ":out_*")
      } catch {
        active.close()
        throw error
      }
      open = Open(client: active, outputs: outputs)
    } catch let error as JACKError {
      throw NSError.session(.mediaServicesFailed, "\(error)", rule: "RST-1")
    }
  }

  /// Opens the session of system sounds on a connection of its own.
  private func openSession(ports: String) throws -> HostLink {
    let settings = SessionController.shared.settings
    let deadline = HostDeadline(afterSeconds: settings.limitSeconds)
    do throws(HostFault) {
      let link = try HostLink(
        path: try settings.socketPath(),
        trust: HostTrust(settings.address),
        until: deadline,
        onEvent: { _ in },
        onEnd: {},
      )
      // Another name than the app's: media keys and questions about the app mean its own session.
      var params = OpenSession.Params(app: settings.app + "-sounds")
      params.systemSounds = true
      params.ports = [ports]
      do throws(HostFault) {
        _ = try link.call(OpenSession.self, params, until: deadline)
      } catch {
        link.close()
        throw error
      }
      return link
    } catch {
      throw NSError.session(error)
    }
  }

  private static var clientName: String {
    let app = SessionController.shared.settings.app
    let name = app.map { $0.isLetter || $0.isNumber || "-_.".contains($0) ? $0 : "_" }
    return String(name.prefix(40)) + "-sounds"
  }

  private func makePlan(_ outputs: [AudioOutputPort]) -> AppPlanHolder {
    lastPlan += 1
    return AppPlanHolder(
      number: lastPlan,
      outputs: outputs,
      inputs: [],
      voices: Array(voices.values),
      recordings: [],
    )
  }

  /// Publishes a plan with the present sounds.
  private func publish() {
    guard var open = open.take() else { return }
    open.client.publish(makePlan(open.outputs))
    self.open = consume open
  }
}
