// SPDX-License-Identifier: MIT

/// What a call to JACK, or the start of a server, failed with.
public struct JACKError: Error, Equatable, Sendable {
  /// The kind of failure.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// A stable name.
    public let rawValue: String

    /// Makes a code from its stable name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// No server answers under the name asked for.
    public static let noServer = Code(rawValue: "noServer")
    /// The client could not be opened for another reason, given by `status`.
    public static let openFailed = Code(rawValue: "openFailed")
    /// The name is taken.
    public static let nameTaken = Code(rawValue: "nameTaken")
    /// The name is empty or too long.
    public static let invalidName = Code(rawValue: "invalidName")
    /// This process is the client of another server, or of one that has died: close those first.
    public static let otherServerInUse = Code(rawValue: "otherServerInUse")
    /// The client has been closed.
    public static let closed = Code(rawValue: "closed")
    /// The server has gone away under this client.
    public static let serverGone = Code(rawValue: "serverGone")
    /// There is no port of that name.
    public static let noSuchPort = Code(rawValue: "noSuchPort")
    /// There is no client of that name.
    public static let noSuchClient = Code(rawValue: "noSuchClient")
    /// There is no connection between those ports.
    public static let notConnected = Code(rawValue: "notConnected")
    /// A value outside what JACK allows.
    public static let invalidValue = Code(rawValue: "invalidValue")
    /// Another client is the timebase master.
    public static let timebaseTaken = Code(rawValue: "timebaseTaken")
    /// JACK refused, without giving a reason.
    public static let refused = Code(rawValue: "refused")
    /// The call did not come back in time.
    public static let timedOut = Code(rawValue: "timedOut")
    /// The server program is missing.
    public static let serverNotInstalled = Code(rawValue: "serverNotInstalled")
    /// The server did not start, or did not answer in time.
    public static let serverDidNotStart = Code(rawValue: "serverDidNotStart")
  }

  /// The kind of failure.
  public let code: Code
  /// The function of JACK, or the program, that failed: `jack_port_register`.
  public let call: String
  /// What it was called for: the name of a port, client or server.
  public let subject: String
  /// The status of an opening.
  public let status: ClientStatus?
  /// More words: the fault, and what is allowed.
  public let detail: String?

  init(
    _ code: Code,
    call: String,
    subject: String,
    status: ClientStatus? = nil,
    detail: String? = nil,
  ) {
    self.code = code
    self.call = call
    self.subject = subject
    self.status = status
    self.detail = detail
  }
}

extension JACKError: CustomStringConvertible {
  /// Place, fault, and what is allowed, in one line (a server's last words follow on their own).
  public var description: String {
    var text = "\(call) \"\(subject)\": \(detail ?? code.explanation)"
    if let status, !status.isEmpty {
      text += " (status: \(status))"
    }
    return text
  }
}

extension JACKError.Code {
  var explanation: String {
    switch self {
    case .noServer: "no JACK server is running under this name"
    case .openFailed: "the server did not accept the client"
    case .nameTaken: "the name is in use"
    case .invalidName: "not a valid name"
    case .otherServerInUse: "this process is the client of another server"
    case .closed: "the client has been closed"
    case .serverGone: "the server has gone away"
    case .noSuchPort: "there is no port of this name"
    case .noSuchClient: "there is no client of this name"
    case .notConnected: "the ports are not connected"
    case .invalidValue: "the value is not allowed"
    case .timebaseTaken: "another client is the timebase master"
    case .timedOut: "no answer in time"
    case .serverNotInstalled: "not found in PATH; install the package jackd2"
    case .serverDidNotStart: "the server did not start"
    default: "refused by JACK"
    }
  }
}
