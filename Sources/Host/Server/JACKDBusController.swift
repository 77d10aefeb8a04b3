// SPDX-License-Identifier: MIT

/// The calls of jackdbus's control interface, each one carried out by `dbus-send`.
struct JACKDBusController: Sendable {
  /// A setting of jackdbus, which it keeps in its configuration file.
  enum Setting: String, Sendable, CaseIterable {
    /// The sample rate in hertz.
    case rate
    /// The buffer size in frames.
    case period
  }

  /// The value of a setting.
  struct Value: Sendable, Hashable {
    /// Whether somebody has set it; otherwise it is the driver's default.
    let isSet: Bool
    /// Its type as D-Bus names it.
    let type: String
    /// The value as text.
    let text: String
  }

  private let tool: ToolProcess

  /// How long a call may take: a driver may open hardware in it.
  private static let callLimitInSeconds = 15

  init(environment: [String: String]) {
    tool = ToolProcess(
      name: "dbus-send",
      package: "dbus-bin",
      environment: environment,
      timeLimit: .seconds(Self.callLimitInSeconds + 1),
    )
  }

  // MARK: - The server

  /// Whether jackdbus has a server running.
  func isStarted() async throws(HostError) -> Bool {
    try await control("IsStarted").first?.text == "true"
  }

  /// Starts the server with the settings as they are.
  func startServer() async throws(HostError) { _ = try await control("StartServer") }

  /// Stops the server; all its clients lose it.
  func stopServer() async throws(HostError) { _ = try await control("StopServer") }

  /// The running server's sample rate in hertz.
  func sampleRateHz() async throws(HostError) -> Int? {
    try await control("GetSampleRate").first.flatMap { Int($0.text) }
  }

  /// The running server's buffer size in frames.
  func bufferFrames() async throws(HostError) -> Int? {
    try await control("GetBufferSize").first.flatMap { Int($0.text) }
  }

  /// Changes the buffer size of the running server, without a restart.
  func setBufferFrames(_ frames: Int) async throws(HostError) {
    _ = try await control("SetBufferSize", ["uint32:\(frames)"])
  }

  // MARK: - Its settings

  /// The value of a setting.
  func value(of setting: Setting) async throws(HostError) -> Value {
    let reply = try await configure("GetParameterValue", setting)
    // (isSet, default, value)
    guard reply.count == 3 else {
      throw HostError(.jack, "jackdbus: unknown answer for driver/\(setting): \(reply)")
    }
    return Value(isSet: reply[0].text == "true", type: reply[2].type, text: reply[2].text)
  }

  /// Sets a setting for the next start.
  func set(_ setting: Setting, to text: String, type: String) async throws(HostError) {
    _ = try await configure("SetParameterValue", setting, ["variant:\(type):\(text)"])
  }

  /// Sets a setting back to what it was, be that nobody's choice.
  func restore(_ setting: Setting, _ value: Value) async throws(HostError) {
    if value.isSet {
      try await set(setting, to: value.text, type: value.type)
    } else {
      _ = try await configure("ResetParameterValue", setting)
    }
  }

  // MARK: - Calls

  /// A basic value of an answer.
  private typealias Basic = (type: String, text: String)

  private func control(
    _ method: String,
    _ arguments: [String] = [],
  ) async throws(HostError) -> [Basic] {
    try await call("org.jackaudio.JackControl.\(method)", arguments)
  }

  private func configure(
    _ method: String,
    _ setting: Setting,
    _ arguments: [String] = [],
  ) async throws(HostError) -> [Basic] {
    let path = "array:string:driver,\(setting.rawValue)"
    return try await call("org.jackaudio.Configure.\(method)", [path] + arguments)
  }

  private func call(_ method: String, _ arguments: [String]) async throws(HostError) -> [Basic] {
    let output = try await tool.run(
      [
        "--session", "--print-reply", "--reply-timeout=\(Self.callLimitInSeconds * 1000)",
        "--dest=org.jackaudio.service", "/org/jackaudio/Controller", method,
      ] + arguments
    )
    guard output.isSuccess else {
      throw HostError(.jack, "jackdbus refused \(method): \(output.fault)")
    }
    // The first line tells who answered; the others are `   variant       uint32 48000`.
    return output.standardOutput.split(separator: "\n").dropFirst().compactMap { line in
      let words = line.split(separator: " ").drop { $0 == "variant" }
      guard let type = words.first, words.count >= 2 else { return nil }
      return (String(type), words.dropFirst().joined(separator: " "))
    }
  }
}
