// SPDX-License-Identifier: MIT

/// A bare JACK client that hands one channel on: the least that a node can be.
public enum PassThroughClient {
  /// Runs the client until the task is cancelled.
  ///
  /// - Parameters:
  ///   - name: The client's name; its ports are `in` and `out`.
  ///   - server: The server's name; nil takes the default one.
  /// - Throws: ``LabError`` `jack` or `cancelled`.
  public static func run(name: String, server: String?) async throws(LabError) {
    let client = try PassThrough.client(name: name, server: server)
    defer { client.close() }
    while true { try await LabError.sleep(.seconds(60)) }
  }
}
