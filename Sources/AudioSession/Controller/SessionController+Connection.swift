// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import ControlSocket
internal import Dispatch
internal import Foundation
internal import NIOConcurrencyHelpers
internal import Sessions

extension SessionController {
  /// Gives the session at the host; opens it if there is none yet.
  ///
  /// - Parameter startingHost: Whether to start a host if none is running and the settings allow it.
  /// - Returns: The session.
  /// - Throws: `HostFault`.
  @discardableResult
  func connect(startingHost: Bool) throws(HostFault) -> SessionConnection {
    guard !isInChild else { throw .forked }
    changes.lock()
    defer { changes.unlock() }
    if let connection = state.withLockedValue({ $0.connection }) { return connection }
    if startingHost, state.withLockedValue({ $0.isLost }) {
      throw .noHost("the host has ended; wait for mediaServicesWereReset")
    }
    do throws(HostFault) {
      return try open(startingHost: startingHost)
    } catch {
      state.withLockedValue { $0.failedAt = ProcessInfo.processInfo.systemUptime }
      throw error
    }
  }

  private func open(startingHost: Bool) throws(HostFault) -> SessionConnection {
    let settings = settings
    let path: String
    do throws(HostFault) {
      path = try settings.socketPath()
      return try open(path, settings)
    } catch {
      guard startingHost, settings.start == .ifNeeded, case .noHost = error else { throw error }
    }
    try HostStarter.start(settings)
    // The start of a host has had a time of its own.
    extendDeadline()
    return try open(settings.socketPath(), settings)
  }

  private func open(
    _ path: String,
    _ settings: AVAudioSession.HostSettings,
  ) throws(HostFault) -> SessionConnection {
    let limit = deadline
    let lateAnswers = LateAnswers()
    let link = try HostLink(
      path: path,
      trust: HostTrust(settings.address),
      until: limit,
      onEvent: { [weak self] event in if !lateAnswers.take(event) { self?.heard(event) } },
      onEnd: { [weak self] in
        lateAnswers.end()
        self?.linkEnded()
      },
    )
    let configuration = state.withLockedValue { $0.configuration }
    let opened: OpenSession.Result
    do throws(HostFault) {
      try sayHello(link, settings, limit)
      _ = try link.call(
        Subscribe.self,
        Subscribe.Params(topics: [.events]),
        until: limit
      )
      opened = try openSession(link, try parameters(configuration, settings), limit)
    } catch {
      link.close()
      throw error
    }
    let connection = SessionConnection(
      link: link,
      session: opened.session,
      lateAnswers: lateAnswers,
    )
    try settle(connection, configuration, limit)
    state.withLockedValue {
      $0.connection = connection
      $0.order = 0
      $0.failedAt = nil
      $0.isLost = false
    }
    try refresh(connection, until: limit)
    return connection
  }

  /// Says that this is an app, as the host would find out by its session.
  private func sayHello(
    _ link: HostLink,
    _ settings: AVAudioSession.HostSettings,
    _ limit: HostDeadline,
  ) throws(HostFault) {
    let hello = Hello.Params(client: settings.app, role: .app)
    do throws(HostFault) {
      _ = try link.call(Hello.self, hello, until: limit)
    } catch {
      // A host of an earlier release knows no roles.
      guard case .refused(let refusal) = error, refusal.code == .invalidParams else { throw error }
    }
  }

  /// Opens the session; repeats the request while a host that was just started is not ready.
  private func openSession(
    _ link: HostLink,
    _ params: OpenSession.Params,
    _ limit: HostDeadline,
  ) throws(HostFault) -> OpenSession.Result {
    while true {
      do throws(HostFault) {
        return try link.call(OpenSession.self, params, until: limit).result
      } catch {
        guard case .refused(let refusal) = error, refusal.code == .notReady,
          limit.secondsLeft > 0
        else { throw error }
        Thread.sleep(forTimeInterval: 0.02)
      }
    }
  }

  private func parameters(
    _ configuration: SessionConfiguration,
    _ settings: AVAudioSession.HostSettings,
  ) throws(HostFault) -> OpenSession.Params {
    var params = OpenSession.Params(app: settings.app)
    params.category = configuration.category
    params.mode = configuration.mode
    params.options = configuration.options
    do throws(ControlError) {
      params.priorityClass = try PriorityClass(
        checking: settings.priorityClass,
        at: "priorityClass",
      )
      params.compatibility = try Compatibility(
        checking: settings.compatibility,
        at: "compatibility",
      )
    } catch {
      throw .refused(error)
    }
    params.music = settings.isBackgroundMusic ? .background : nil
    params.appliesPreferencesAtOnce = settings.appliesPreferencesAtOnce
    params.background =
      switch settings.background {
      case .audio: .audio
      case .none: OpenSession.Background.none
      case .suspend: .suspend
      }
    return params
  }

  /// Sends the host all choices that the app made before the connection.
  private func settle(
    _ connection: SessionConnection,
    _ configuration: SessionConfiguration,
    _ limit: HostDeadline,
  ) throws(HostFault) {
    let (preferences, choices) = state.withLockedValue { ($0.preferences, $0.choices) }
    var configure = ConfigureSession.Params(session: connection.session)
    if configuration.policy != .default {
      configure.category = configuration.category
      configure.mode = configuration.mode
      configure.options = configuration.options
      configure.policy = configuration.policy
    } else if !configuration.mode.impliedOptions.isSubset(of: configuration.options) {
      // Without the mode, so that the host does not add the mode's options again (MOD-3).
      configure.category = configuration.category
      configure.options = configuration.options
    }
    configure.preferredSampleRateHz = preferences.sampleRateHz
    configure.preferredIOBufferSeconds = preferences.ioBufferSeconds
    configure.preferredInputChannels = preferences.inputChannels
    configure.preferredOutputChannels = preferences.outputChannels
    _ = try connection.link.call(ConfigureSession.self, configure, until: limit)
    var adjust = AdjustSession.Params(session: connection.session)
    adjust.takesRemoteCommands = RemoteControl.shared.isOn
    if choices.overridesOutput { adjust.overrideOutput = .speaker }
    adjust.prefersInterruptionOnRouteDisconnect = choices.prefersInterruptionOnRouteDisconnect
    adjust.prefersNoInterruptionsFromSystemAlerts = choices.prefersNoInterruptionsFromSystemAlerts
    _ = try connection.link.call(AdjustSession.self, adjust, until: limit)
  }

  /// Reads the state of the session from the host.
  func refresh(_ connection: SessionConnection, until deadline: HostDeadline) throws(HostFault) {
    let (detail, order) = try connection.detail(until: deadline)
    state.withLockedValue { $0.take(detail, order: order, from: connection) }
  }

  /// Closes the link and resets the session's state; the next use connects again.
  func disconnect() {
    guard !isInChild else { return }
    changes.lock()
    defer { changes.unlock() }
    let connection = state.withLockedValue { state -> SessionConnection? in
      defer { state = SessionState() }
      return state.connection
    }
    connection?.link.close()
  }

  // MARK: - Loss and return

  /// Handles the end of the link; called on the link's thread.
  private func linkEnded() {
    events.async { self.hostLost() }
  }

  private func hostLost() {
    let wasOpen = state.withLockedValue { state -> Bool in
      guard let connection = state.connection, !connection.link.isOpen else { return false }
      state.connection = nil
      state.reset()
      state.isLost = true
      return true
    }
    guard wasOpen else { return }
    participants.tell(.mediaServicesLost)
    review()
    post(AVAudioSession.mediaServicesWereLostNotification)
    awaitHost()
  }

  /// Tries to connect every 100 ms until a host answers, then tells the app to set up again (RST-1).
  private func awaitHost() {
    events.asyncAfter(deadline: .now() + 0.1) { [weak self] in
      guard let self else { return }
      guard (try? self.connect(startingHost: false)) != nil else { return self.awaitHost() }
      self.review()
      // A host without a server sends mediaServicesWereReset itself when it has one.
      guard self.state.withLockedValue({ $0.detail?.hardware.server != nil }) else { return }
      self.post(AVAudioSession.mediaServicesWereResetNotification)
    }
  }
}
