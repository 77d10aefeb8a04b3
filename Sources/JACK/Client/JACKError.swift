// SPDX-License-Identifier: MIT

internal import CJACK

/// Failure of a call to JACK, or of the start of a server.
///
/// Pure value: [any-thread].
public struct JACKError: Error, Equatable, Sendable {
  /// The kind of failure.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// A stable name.
    public let rawValue: String

    /// Makes a code from its stable name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// A server of the requested name does not answer.
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
    /// This process was forked from the one that opened the client.
    public static let forked = Code(rawValue: "forked")
    /// The server program is missing.
    public static let serverNotInstalled = Code(rawValue: "serverNotInstalled")
    /// The server did not start, or did not answer in time.
    public static let serverDidNotStart = Code(rawValue: "serverDidNotStart")
  }

  /// The kind of failure.
  public let code: Code
  /// The function of JACK, or the program, that failed: `jack_port_register`.
  public let call: String
  /// The port, client or server that the call was for.
  public let subject: String
  /// The status of an opening.
  public let status: ClientStatus?
  /// The fault, and the allowed values.
  public let detail: String?

  package init(
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

extension JACKError {
  /// The refusal to give audio to some clients only where connections cannot be counted. [any-thread]
  package static func cannotCount(_ port: String) -> JACKError {
    JACKError(
      .refused,
      call: "jack_port_connected",
      subject: port,
      detail: "PipeWire does not tell the audio thread who is connected",
    )
  }
}

extension JACKError: CustomStringConvertible {
  /// The place, the fault and the allowed values in one line; a server's last lines of output follow.
  public var description: String {
    // The status of a missing server says the same once more.
    if code == .noServer, let detail { return detail }
    var text = "\(call) \"\(subject)\": \(detail ?? code.explanation)"
    if let status, !status.isEmpty {
      text += " (status: \(status))"
    }
    return text
  }

  /// The description, with a remedy where there is one.
  public var advice: String {
    code == .noServer ? "\(self); start it, or name a server that runs" : description
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
    case .forked:
      "the client belongs to the process that this one was forked from; start a program with exec"
    case .serverNotInstalled: "not found in PATH; install the package jackd2"
    case .serverDidNotStart: "the server did not start"
    default: "refused by JACK"
    }
  }
}

/// Status that JACK returns when a client is opened.
///
/// Pure value: [any-thread].
public struct ClientStatus: OptionSet, Hashable, Sendable {
  /// The bits of `jack_status_t`.
  public let rawValue: UInt32

  /// Makes a status from the bits of `jack_status_t`.
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  init(_ status: jack_status_t) {
    self.init(rawValue: status.rawValue)
  }

  /// The operation failed.
  public static let failure = ClientStatus(JackFailure)
  /// An option is invalid or not supported.
  public static let invalidOption = ClientStatus(JackInvalidOption)
  /// The name was taken: changed, or refused where an exact name was asked for.
  public static let nameNotUnique = ClientStatus(JackNameNotUnique)
  /// Opening has started a server.
  public static let serverStarted = ClientStatus(JackServerStarted)
  /// The connection to the server failed.
  public static let serverFailed = ClientStatus(JackServerFailed)
  /// Communication with the server failed.
  public static let serverError = ClientStatus(JackServerError)
  /// The client asked for does not exist.
  public static let noSuchClient = ClientStatus(JackNoSuchClient)
  /// An internal client could not be loaded.
  public static let loadFailure = ClientStatus(JackLoadFailure)
  /// The client could not be initialised.
  public static let initFailure = ClientStatus(JackInitFailure)
  /// Shared memory is out of reach: another user's server, or a container without /dev/shm.
  public static let sharedMemoryFailure = ClientStatus(JackShmFailure)
  /// The server speaks another protocol version than this libjack.
  public static let versionError = ClientStatus(JackVersionError)
}

extension ClientStatus: CustomStringConvertible {
  private static let names: [(ClientStatus, String)] = [
    (.failure, "failure"),
    (.invalidOption, "invalid option"),
    (.nameNotUnique, "name not unique"),
    (.serverStarted, "server started"),
    (.serverFailed, "cannot connect to the server"),
    (.serverError, "communication error with the server"),
    (.noSuchClient, "no such client"),
    (.loadFailure, "cannot load the internal client"),
    (.initFailure, "cannot initialise the client"),
    (.sharedMemoryFailure, "cannot access shared memory"),
    (.versionError, "server and libjack are of different protocol versions"),
  ]

  /// The bits as text.
  public var description: String {
    Self.names.filter { contains($0.0) }.map(\.1).joined(separator: ", ")
  }
}
