// SPDX-License-Identifier: MIT

/// Tells the state of the whole host, read at one moment.
public enum GetStatus: ControlMethod {
  /// The name on the wire.
  public static let name = "status"
  /// It takes no parameters.
  public typealias Params = NoParams
  /// It answers everything.
  public typealias Result = HostStatus
}
