// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import Sessions

/// All that the library knows of its session; a reader gets one whole value (SES-5).
struct SessionState: Sendable {
  /// Category, mode, options and policy: always a valid combination.
  var configuration = SessionConfiguration()
  /// What the app prefers of the hardware.
  var preferences = HardwarePreferences()
  /// What the app chose that only the library needs to know.
  var choices = SessionChoices()
  /// What the host told last; nil while it has told nothing.
  var detail: SessionDetail?
  /// The connection, and the session's id there.
  var connection: SessionConnection?
  /// Which answer `detail` is from.
  var order: Int64 = 0
  /// Whether the host was there and is gone: until it is back everything fails (RST-1).
  var isLost = false
  /// When a connection was tried last without success, in seconds of the system's uptime.
  var failedAt: Double?

  /// Whether the session is active.
  var isActive: Bool { detail?.active ?? false }

  /// Takes in what the host says, unless something newer is here already.
  mutating func take(_ detail: SessionDetail, order: Int64, from connection: SessionConnection) {
    guard self.connection === connection, order > self.order else { return }
    self.order = order
    self.detail = detail
    if let configuration = SessionConfiguration(detail) { self.configuration = configuration }
  }

  /// Everything is void: what the app set is back at its defaults, what observes stays (RST-1).
  mutating func reset() {
    configuration = SessionConfiguration()
    preferences = HardwarePreferences()
    choices = SessionChoices()
    detail = nil
    order = 0
  }
}

extension SessionConfiguration {
  /// What the host says; nil for names that this version does not know.
  init?(_ detail: SessionDetail) {
    let options = detail.options.compactMap(CategoryOptions.init(name:))
    guard let category = Category(name: detail.category), let mode = Mode(name: detail.mode),
      let policy = RouteSharingPolicy.allCases.first(where: { "\($0)" == detail.policy }),
      options.count == detail.options.count
    else { return nil }
    let all = options.reduce(into: CategoryOptions()) { $0.formUnion($1) }
    // Mode first, options without it after: what the host has may lack the mode's own (MOD-3).
    self.init()
    do throws(SessionError) {
      try setCategory(category, mode: mode, policy: policy, options: all)
      if self.options != all, policy == .default { try setCategory(category, options: all) }
    } catch {
      return nil
    }
  }
}
