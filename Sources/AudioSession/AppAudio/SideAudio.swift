// SPDX-License-Identifier: MIT

internal import AudioFiles
internal import ControlProtocol
internal import ControlSocket
internal import Foundation
internal import JACK
internal import Realtime
internal import Sessions
internal import Synchronization

/// A JACK client of the app with a session of its own at the host, beside the app's session (PLR-4).
///
/// Both are opened with the first voice. [any-thread] except an audio thread.
@safe
final class SideAudio: @unchecked Sendable {
  /// A client with its ports; protected by ``lock``.
  @safe
  struct Open: ~Copyable {
    var client: AppClient
    let outputs: [AudioOutputPort]
    var inputs: [AudioInputPort] = []
    var patch = InputPatch()
  }

  private let suffix: String
  private let outputs: Int
  private let describe: @Sendable (inout OpenSession.Params) -> Void
  private let onEvent: @Sendable (EventPayload.SessionNotice.Content) -> Void
  private let onEnd: @Sendable () -> Void
  let lock = NSRecursiveLock()
  var open: Open?
  /// The recorder that the inputs belong to.
  var recording: Recording?
  private var link: HostLink?
  private var session = ""
  private var strip: String?
  private var voices: [UInt32: Voice] = [:]
  private var lastPlan: UInt64 = 0
  /// The sample rate of the client's server; 48 kHz before it is open.
  private(set) var rateHz = 48_000.0

  /// Describes a client and its session, without opening them.
  ///
  /// - Parameters:
  ///   - suffix: The end of the names of both, behind the app's name.
  ///   - outputs: The number of the client's outputs, which are heard through the session's strip.
  ///   - describe: Sets the parameters of the session.
  ///   - onEvent: Called with the session's events, in order, on the session thread of the app.
  ///   - onEnd: Called there when the host has ended.
  init(
    suffix: String,
    outputs: Int = 2,
    describe: @escaping @Sendable (inout OpenSession.Params) -> Void,
    onEvent: @escaping @Sendable (EventPayload.SessionNotice.Content) -> Void = { _ in },
    onEnd: @escaping @Sendable () -> Void = {},
  ) {
    self.suffix = suffix
    self.outputs = outputs
    self.describe = describe
    self.onEvent = onEvent
    self.onEnd = onEnd
  }

  deinit { close() }

  /// Makes a file heard from now on, whenever it plays.
  ///
  /// - Returns: Its voice, the one that it has already if there is one.
  /// - Throws: `NSError` if no host or server can be reached.
  /// [control-thread]
  @discardableResult
  func add(_ file: FilePlayer, as number: UInt32, make: (FilePlayer) -> Voice) throws -> Voice {
    try lock.withLock {
      try prepare()
      try file.reconfigure(outputSampleRateHz: rateHz)
      if let voice = voices[number] { return voice }
      let voice = make(file)
      voices[number] = voice
      publish()
      return voice
    }
  }

  /// Opens client and session unless they are open.
  ///
  /// - Throws: `NSError` if no host or server can be reached.
  /// [control-thread]
  func prepare() throws {
    try lock.withLock {
      if link?.isOpen == true { return }
      close()
      try openClient()
    }
  }

  /// Replaces a voice from one cycle to the next.
  ///
  /// - Returns: Whether the old one was heard.
  /// [control-thread]
  func replace(_ old: Voice, by voice: Voice, as number: UInt32) -> Bool {
    lock.withLock {
      guard voices[number] === old else { return false }
      voices[number] = voice
      publish()
      return true
    }
  }

  /// Removes a voice.
  /// [control-thread]
  func remove(_ number: UInt32) {
    lock.withLock {
      if voices.removeValue(forKey: number) != nil { publish() }
    }
  }

  /// Fades all voices to silence, or back.
  /// [control-thread]
  func setMuted(_ isMuted: Bool, fadeFrames: Int) {
    lock.withLock {
      for voice in voices.values {
        let gains = [Float](repeating: isMuted ? 0 : 1, count: voice.channels)
        voice.setGains(gains, fadeFrames: fadeFrames)
      }
    }
  }

  /// Asks the host for something about the session.
  ///
  /// - Returns: Its answer.
  /// - Throws: `NSError` with the host's refusal; `mediaServicesFailed` without a session.
  /// [control-thread]
  @discardableResult
  func ask<Method: ControlMethod>(
    _ method: Method.Type,
    _ params: (String) -> Method.Params,
  ) throws -> Method.Result {
    let (link, session) = lock.withLock { (self.link, self.session) }
    guard let link else {
      throw NSError.session(.mediaServicesFailed, "the session is closed", rule: "RST-1")
    }
    do throws(HostFault) {
      let deadline = HostDeadline(afterSeconds: SessionController.shared.settings.limitSeconds)
      return try link.call(method, params(session), until: deadline).result
    } catch {
      throw NSError.session(error)
    }
  }

  /// Moves the fader of the session's strip, if it has one; the amplitude is 0 to 1.
  ///
  /// - Throws: As ``ask(_:_:)``.
  /// [control-thread]
  func setVolume(_ amplitude: Double) throws {
    guard let strip = lock.withLock({ strip }) else { return }
    try ask(SetGain.self) { _ in
      SetGain.Params(target: .strip(strip), gainDB: 20 * log10(amplitude))
    }
  }

  /// JACK's current time in frames, unwrapped to 64 bits; 0 without a client.
  var frameNow: UInt64 {
    lock.withLock { withOpen { $0.client.frame } ?? 0 }
  }

  /// Closes the client and its session, because the server or the host has ended (RST-1), or nothing plays any more.
  /// [control-thread]
  func close() {
    lock.withLock {
      voices.removeAll()
      recording = nil
      link?.close()
      link = nil
      session = ""
      strip = nil
      guard let open = open.take() else { return }
      open.client.close()
    }
  }

  // MARK: - Inside

  /// Opens the client and the session; the caller holds the lock.
  private func openClient() throws {
    let server = try SessionController.shared.serverName()
    do {
      let client = try OpenedClient.open(name: clientName, server: server)
      let connection = client.connection
      var outputs: [AudioOutputPort] = []
      for index in 0..<self.outputs {
        outputs.append(try connection.register("out_\(index + 1)"))
      }
      rateHz = Double(try connection.sampleRateHz)
      let active = try AppClient(client, plan: makePlan(outputs, []))
      do {
        try openSession(ports: outputs.isEmpty ? nil : [connection.name + ":out_*"])
      } catch {
        active.close()
        throw error
      }
      active.connection.waitForStrip(outputs: outputs.count)
      open = Open(client: active, outputs: outputs)
    } catch let error as JACKError {
      throw NSError.session(.mediaServicesFailed, "\(error)", rule: "RST-1")
    }
  }

  /// Opens the session on a connection of its own; the caller holds the lock.
  private func openSession(ports: [String]?) throws {
    let settings = SessionController.shared.settings
    let events = SessionController.shared.events
    let own = OwnSession()
    let deadline = HostDeadline(afterSeconds: settings.limitSeconds)
    let (onEvent, onEnd) = (onEvent, onEnd)
    do throws(HostFault) {
      let link = try HostLink(
        path: try settings.socketPath(),
        trust: HostTrust(settings.address),
        until: deadline,
        onEvent: { event in
          guard case .session(let notice) = event.payload, notice.session == own.id else { return }
          events.async { onEvent(notice.content) }
        },
        onEnd: { [weak self] in
          let audio = self
          events.async { if audio?.hasLost(own.id) == true { onEnd() } }
        },
      )
      // Another name than the app's: media keys and questions about the app mean its own session.
      var params = OpenSession.Params(app: settings.app + suffix)
      params.ports = ports
      describe(&params)
      do throws(HostFault) {
        let topics = Subscribe.Params(topics: [.events])
        _ = try link.call(Subscribe.self, topics, until: deadline)
        let opened = try link.call(OpenSession.self, params, until: deadline).result
        (session, strip) = (opened.session, opened.strip)
        own.id = session
      } catch {
        link.close()
        throw error
      }
      self.link = link
    } catch {
      throw NSError.session(error)
    }
  }

  /// Whether the session ended without being closed here.
  private func hasLost(_ id: String) -> Bool { lock.withLock { link != nil && session == id } }

  private var clientName: String {
    let app = SessionController.shared.settings.app
    let name = app.map { $0.isLetter || $0.isNumber || "-_.".contains($0) ? $0 : "_" }
    return String(name).prefix(bytes: 40) + suffix
  }

  private func makePlan(
    _ outputs: [AudioOutputPort],
    _ inputs: [AudioInputPort],
  ) -> AppPlanHolder {
    lastPlan += 1
    return AppPlanHolder(
      number: lastPlan,
      outputs: outputs,
      inputs: inputs,
      voices: Array(voices.values),
      recordings: recording.map { [$0] } ?? [],
    )
  }

  /// Publishes a plan with the present voices and recorder; the caller holds the lock.
  func publish() {
    withOpen { $0.client.publish(makePlan($0.outputs, $0.inputs)) }
  }

  /// Calls a body with the open client, nil without one; the caller holds the lock.
  @discardableResult
  func withOpen<Result>(_ body: (inout Open) throws -> Result) rethrows -> Result? {
    guard var opened = open.take() else { return nil }
    do {
      let result = try body(&opened)
      open = consume opened
      return result
    } catch {
      open = consume opened
      throw error
    }
  }
}

/// The id of a session, which is known after its events may come. [any-thread]
private final class OwnSession: Sendable {
  private let box = Mutex("")

  var id: String {
    get { box.withLock { $0 } }
    set { box.withLock { $0 = newValue } }
  }
}
