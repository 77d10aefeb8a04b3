// SPDX-License-Identifier: MIT

internal import CJACK

/// What JACK says about the opening of a client.
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
  /// No connection to the server.
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

  /// The bits in words.
  public var description: String {
    Self.names.filter { contains($0.0) }.map(\.1).joined(separator: ", ")
  }
}
