// SPDX-License-Identifier: MIT

/// A request that waits for something before it is answered.
public struct WaitingRequest: Hashable, Codable, Sendable {
  /// The request's number.
  public let id: RequestID
  /// Who asks.
  public let session: SessionID
  /// What is asked.
  public let request: SessionRequest
}
