// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import Sessions

/// The library's knowledge of its session, as one value (SES-5).
///
/// Pure value: [any-thread].
struct SessionState: Sendable {
  /// Category, mode, options and policy: always a valid combination.
  var configuration = SessionConfiguration()
  /// The app's preferences for the hardware.
  var preferences = HardwarePreferences()
  /// The choices that only the library needs.
  var choices = SessionChoices()
  /// The host's last answer about the session; nil before the first.
  var detail: SessionDetail?
  /// The connection, and the session's id there.
  var connection: SessionConnection?
  /// The number of the answer that `detail` comes from.
  var order: Int64 = 0
  /// Whether the connected host has ended: until one is back, all requests fail (RST-1).
  var isLost = false
  /// The time of the last failed attempt to connect, in seconds of the system's uptime.
  var failedAt: Double?

  /// Whether the session is active.
  var isActive: Bool { detail?.active ?? false }

  /// Stores an answer of the host unless a newer one is stored already.
  mutating func take(_ detail: SessionDetail, order: Int64, from connection: SessionConnection) {
    guard self.connection === connection, order > self.order else { return }
    self.order = order
    self.detail = detail
    if let configuration = SessionConfiguration(detail) { self.configuration = configuration }
  }

  /// Sets everything that the app chose back to its default, because the session is void (RST-1).
  ///
  /// Observers stay.
  mutating func reset() {
    configuration = SessionConfiguration()
    preferences = HardwarePreferences()
    choices = SessionChoices()
    detail = nil
    order = 0
  }
}

extension SessionConfiguration {
  /// Makes the configuration that the host reports; nil for a combination that is not allowed, or not known here.
  init?(_ detail: SessionDetail) {
    guard let category = detail.category, let mode = detail.mode, let policy = detail.policy else {
      return nil
    }
    // First with the mode, then the options alone: the host's options may lack those of the mode (MOD-3).
    self.init()
    do throws(SessionError) {
      try setCategory(
        category,
        mode: mode,
        policy: policy,
        options: detail.options,
      )
      if options != detail.options, policy == .default {
        try setCategory(category, options: detail.options)
      }
    } catch {
      return nil
    }
  }
}

/// Choices of the app that the library keeps.
///
/// Pure value: [any-thread].
struct SessionChoices: Sendable {
  var allowsHapticsWhileRecording = false
  var supportsMultichannelContent = false
  var prefersEchoCancelledInput = false
  var prefersInterruptionOnRouteDisconnect: Bool?
  /// Whether the output is overridden; sent with the connection to a host.
  var overridesOutput = false
  var prefersNoInterruptionsFromSystemAlerts = false
  var preferredInputOrientation = AVAudioSession.StereoOrientation.none
  var injectionMode = AVAudioSession.MicrophoneInjectionMode.none
  /// Preferred data sources by their port's uid.
  var dataSources: [String: Int] = [:]
  /// Preferred polar patterns by their port's uid and data source.
  var polarPatterns: [String: [Int: String]] = [:]
}
