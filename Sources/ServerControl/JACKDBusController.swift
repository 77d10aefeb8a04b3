// SPDX-License-Identifier: MIT

internal import SystemSupport

/// The control interface of jackdbus on the session bus.
///
/// Pure value: [any-thread].
struct JACKDBusController: Sendable {
  /// A setting of jackdbus, which it keeps in its configuration file.
  enum Setting: String, Sendable, CaseIterable {
    /// The sample rate in hertz.
    case rate
    /// The buffer size in frames.
    case period
  }

  /// The value of a setting.
  struct Value: Sendable, Hashable, Codable {
    /// Whether a user or program has set it; otherwise it is the driver's default.
    let isSet: Bool
    /// The value, with its D-Bus type.
    let value: DBusValue

    /// The value as a number; nil for a setting of another type.
    var number: Int? { value.integer }
  }

  /// Limit of a call: a driver may open hardware in it.
  private static let callLimit = Duration.seconds(15)

  private let bus: DBus

  init(environment: [String: String]) {
    bus = DBus(environment: environment, limit: Self.callLimit)
  }

  // MARK: - The server

  /// Whether jackdbus has a server running.
  func isStarted() async throws(ServerControlError) -> Bool {
    try await control("IsStarted").first?.boolean == true
  }

  /// Starts the server with the present settings, or stops it, and waits until jackdbus reports that.
  ///
  /// - Parameters:
  ///   - isStarted: Whether it is to run; all its clients lose it when it stops.
  ///   - limit: How long to wait for the report.
  /// - Returns: False when the report has not come within `limit`.
  /// - Throws: ``ServerControlError`` when jackdbus refuses, or there is none.
  func setServer(
    started isStarted: Bool,
    within limit: Duration
  ) async throws(ServerControlError) -> Bool {
    let change = Self.control(isStarted ? "StartServer" : "StopServer")
    let question = Self.control("IsStarted")
    do throws(DBusError) {
      return try await bus.perform { connection throws(DBusError) in
        try connection.listen(
          to: change.destination,
          path: change.path,
          interface: change.interface
        )
        _ = try connection.call(change)
        let deadline = ContinuousClock.now + limit
        while try connection.call(question).first?.boolean != isStarted {
          // Its signals ServerStarted and ServerStopped, among others.
          guard try connection.awaitMessage(until: deadline) else { return false }
        }
        return true
      }
    } catch {
      throw Self.refusal(of: change, error)
    }
  }

  /// The running server's sample rate in hertz.
  func sampleRateHz() async throws(ServerControlError) -> Int? {
    try await control("GetSampleRate").first?.integer
  }

  /// The running server's buffer size in frames.
  func bufferFrames() async throws(ServerControlError) -> Int? {
    try await control("GetBufferSize").first?.integer
  }

  /// Changes the buffer size of the running server, without a restart.
  func setBufferFrames(_ frames: Int) async throws(ServerControlError) {
    _ = try await control("SetBufferSize", [.uint32(UInt32(clamping: frames))])
  }

  // MARK: - Its settings

  /// The value of a setting.
  func value(of setting: Setting) async throws(ServerControlError) -> Value {
    let reply = try await configure("GetParameterValue", setting)
    // Whether it is set, its default, its value.
    guard reply.count == 3, let isSet = reply[0].boolean, let value = reply[2].inner else {
      throw ServerControlError(
        .refused,
        "jackdbus: unknown answer for driver/\(setting): \(reply)",
      )
    }
    return Value(isSet: isSet, value: value)
  }

  /// Sets a setting for the next start.
  func set(_ setting: Setting, to number: Int) async throws(ServerControlError) {
    try await set(setting, .uint32(UInt32(clamping: number)))
  }

  /// Sets a setting back to its former value, or to the driver's default where it was not set.
  func restore(_ setting: Setting, _ former: Value) async throws(ServerControlError) {
    if former.isSet {
      try await set(setting, former.value)
    } else {
      _ = try await configure("ResetParameterValue", setting)
    }
  }

  private func set(_ setting: Setting, _ value: DBusValue) async throws(ServerControlError) {
    _ = try await configure("SetParameterValue", setting, [.variant(value)])
  }

  // MARK: - Calls

  private func control(
    _ method: String,
    _ arguments: [DBusValue] = [],
  ) async throws(ServerControlError) -> [DBusValue] {
    try await call(Self.control(method), arguments)
  }

  private func configure(
    _ method: String,
    _ setting: Setting,
    _ arguments: [DBusValue] = [],
  ) async throws(ServerControlError) -> [DBusValue] {
    try await call(
      Self.method(method, of: "org.jackaudio.Configure"),
      [.strings(["driver", setting.rawValue])] + arguments,
    )
  }

  private func call(
    _ method: DBusMethod,
    _ arguments: [DBusValue],
  ) async throws(ServerControlError) -> [DBusValue] {
    do throws(DBusError) {
      return try await bus.call(method, arguments)
    } catch {
      throw Self.refusal(of: method, error)
    }
  }

  private static func control(_ name: String) -> DBusMethod {
    method(name, of: "org.jackaudio.JackControl")
  }

  private static func method(_ name: String, of interface: String) -> DBusMethod {
    DBusMethod(
      destination: "org.jackaudio.service",
      path: "/org/jackaudio/Controller",
      interface: interface,
      name: name,
    )
  }

  private static func refusal(of method: DBusMethod, _ error: DBusError) -> ServerControlError {
    ServerControlError(.refused, "jackdbus refused \(method.name): \(error)")
  }
}
