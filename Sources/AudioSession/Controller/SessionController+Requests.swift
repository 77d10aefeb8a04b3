// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import Foundation
internal import NIOConcurrencyHelpers
internal import Sessions

extension SessionController {
  /// Changes category, mode, options and policy, all of them or none (OPT-1, MOD-1).
  ///
  /// Without a host they are kept and sent with the activation (SES-3).
  func configure(
    _ edit: (inout SessionConfiguration, Compatibility) throws(SessionError) -> Void,
    _ describe: (inout ConfigureSession.Params) -> Void,
  ) throws {
    let compatibility = Compatibility(name: settings.compatibility) ?? .latest
    try change {
      var configuration = current.configuration
      do throws(SessionError) {
        try edit(&configuration, compatibility)
      } catch {
        throw NSError.session(error)
      }
      if let connection = state.withLockedValue({ $0.connection }) {
        var params = ConfigureSession.Params(session: connection.session)
        describe(&params)
        try ask(connection, ConfigureSession.self, params)
      } else {
        state.withLockedValue {
          // Another category ends the override, as at the host (RTE-5).
          if $0.configuration.category != configuration.category {
            $0.choices.overridesOutput = false
          }
          $0.configuration = configuration
        }
      }
    }
  }

  /// Sets a preference for the hardware (HW-1).
  func prefer(_ preference: HardwarePreferences.Change) throws {
    try change {
      var preferences = current.preferences
      do throws(SessionError) {
        try preferences.apply(preference)
      } catch {
        throw NSError.session(error)
      }
      if let connection = state.withLockedValue({ $0.connection }) {
        var params = ConfigureSession.Params(session: connection.session)
        switch preference {
        case .sampleRate(let hz): params.preferredSampleRateHz = hz
        case .ioBuffer(let seconds): params.preferredIOBufferSeconds = seconds
        case .inputChannels(let count): params.preferredInputChannels = count
        case .outputChannels(let count): params.preferredOutputChannels = count
        case .inputGain(let linear): params.inputGain = Double(min(max(linear, 0), 1))
        }
        try ask(connection, ConfigureSession.self, params)
      }
      state.withLockedValue { $0.preferences = preferences }
    }
  }

  /// Changes a setting that only the host keeps, such as the choice of ports; needs a host.
  func adjust(_ describe: (inout AdjustSession.Params) -> Void) throws {
    try change {
      let connection = try connected(startingHost: false)
      var params = AdjustSession.Params(session: connection.session)
      describe(&params)
      try ask(connection, AdjustSession.self, params)
    }
  }

  /// Keeps a choice, and sends it to the host if one is connected.
  func choose(
    _ keep: (inout SessionChoices) -> Void,
    _ describe: ((inout AdjustSession.Params) -> Void)? = nil,
  ) throws {
    try change {
      if let describe, let connection = current.connection {
        var params = AdjustSession.Params(session: connection.session)
        describe(&params)
        try ask(connection, AdjustSession.self, params)
      }
      state.withLockedValue { keep(&$0.choices) }
    }
  }

  /// Makes the session active (ACT-1).
  func activate() throws {
    try change {
      let connection = try connected(startingHost: true)
      try ask(connection, ActivateSession.self, ActivateSession.Params(session: connection.session))
    }
  }

  /// Makes the session inactive; audio that runs is stopped (ACT-5, ACT-6).
  func deactivate(notifyOthers: Bool) throws {
    try checkProcess()
    defer { if !state.withLockedValue({ $0.isActive }) { participants.tell(.deactivated) } }
    try change {
      // A session without a connection was never active.
      guard let connection = current.connection else { return }
      let params = DeactivateSession.Params(session: connection.session, notifyOthers: notifyOthers)
      try ask(connection, DeactivateSession.self, params)
    }
  }

  /// Reports to the host whether the app's audio runs (SES-4).
  func report(isRunning: Bool) throws {
    try change {
      let connection = try connected(startingHost: isRunning)
      var params = AdjustSession.Params(session: connection.session)
      params.ioRunning = isRunning
      try ask(connection, AdjustSession.self, params)
    }
  }

  /// Sends a remote command to the host, which keeps it during an interruption (INT-4).
  func send(_ command: RemoteCommand) throws {
    try change {
      let connection = try connected(startingHost: false)
      let params = SendRemoteCommand.Params(command: command, session: connection.session)
      try ask(connection, SendRemoteCommand.self, params)
    }
  }

  /// Moves the fader of the session's strip, if it has one; the amplitude is 0 to 1.
  func setVolume(_ amplitude: Double) throws {
    try change {
      let connection = try connected(startingHost: false)
      guard let strip = current.detail?.strip else { return }
      let params = SetGain.Params(target: .strip(strip), gainDB: 20 * log10(amplitude))
      try ask(connection, SetGain.self, params)
    }
  }

  /// Sets the ports that are heard through the session's strip.
  func setPorts(_ ports: [String], channels: Int) throws {
    try change {
      let connection = try connected(startingHost: true)
      let params = SetSessionPorts.Params(
        session: connection.session,
        ports: ports,
        channels: channels,
      )
      try ask(connection, SetSessionPorts.self, params)
    }
  }

  /// Reports to the host that this app is in the foreground, so that all others are in the background (SYS-5).
  func comeToForeground() throws {
    try change {
      var params = Simulate.Params(event: .foreground)
      params.app = settings.app
      try ask(try connected(startingHost: true), Simulate.self, params)
    }
  }

  /// The name of the host's JACK server; connects to the host if needed.
  func serverName() throws -> String {
    let connection = try connected(startingHost: true)
    let state = state.withLockedValue { $0 }
    guard state.connection === connection, let server = state.detail?.hardware.server else {
      throw NSError.session(
        .mediaServicesFailed,
        "the host has no JACK server now; wait for mediaServicesWereReset",
        rule: "RST-1",
      )
    }
    return server
  }

  /// Asks the host for the permission to record; the host asks the user if it is undetermined (PRM-1).
  func askPermission() throws {
    try change {
      let connection = try connected(startingHost: true)
      try ask(connection, RequestPermission.self, .init(session: connection.session))
    }
  }

  // MARK: - Data sources

  func preferredDataSource(ofPort uid: String) -> Int? { current.choices.dataSources[uid] }

  func preferredPolarPattern(ofSource id: Int, port uid: String) -> String? {
    current.choices.polarPatterns[uid]?[id]
  }

  func setPreferredDataSource(_ id: Int?, ofPort uid: String) throws {
    try choose({ $0.dataSources[uid] = id }) { params in
      params.port = uid
      params.dataSource = id
    }
  }

  func setPreferredPolarPattern(_ pattern: String?, ofSource id: Int, port uid: String) throws {
    try choose({ $0.polarPatterns[uid, default: [:]][id] = pattern }) { params in
      params.port = uid
      params.dataSource = id
      params.polarPattern = pattern
    }
  }

  // MARK: - Asking

  /// The session at the host, with the fault of a failed connection as `NSError`.
  func connected(startingHost: Bool) throws -> SessionConnection {
    do throws(HostFault) {
      return try connect(startingHost: startingHost)
    } catch {
      throw NSError.session(error)
    }
  }

  /// Calls a method and reads the session's state after it, because a refusal may change the state too.
  func ask<Method: ControlMethod>(
    _ connection: SessionConnection,
    _ method: Method.Type,
    _ params: Method.Params,
  ) throws {
    let limit = deadline
    do throws(HostFault) {
      defer { try? refresh(connection, until: limit) }
      let (result, _) = try connection.link.call(method, params, until: limit)
      let requests = (result as? any WaitingResult)?.waiting ?? []
      waiting.withLockedValue { waiting in
        waiting += requests.map { (connection, $0) }
      }
    } catch {
      throw NSError.session(error)
    }
  }

  /// Calls a method that changes nothing, as part of a change, and returns its answer.
  func read<Method: ControlMethod>(
    _ connection: SessionConnection,
    _ method: Method.Type,
    _ params: Method.Params,
  ) throws -> Method.Result {
    do throws(HostFault) {
      return try connection.link.call(method, params, until: deadline).result
    } catch {
      throw NSError.session(error)
    }
  }

  /// Waits for the answer to a request of a suspended app, then reads the session's state.
  func waitForReturn(_ connection: SessionConnection, _ request: UInt64) throws {
    do throws(HostFault) {
      defer { try? refresh(connection, until: HostDeadline(afterSeconds: settings.limitSeconds)) }
      try connection.lateAnswers.wait(for: request, on: connection.link)
    } catch {
      throw NSError.session(error)
    }
  }
}
