// SPDX-License-Identifier: MIT

/// The interface through which a server that is not the host's own can be asked for a sample rate.
protocol ForeignServerSettings: Sendable {
  /// How it was done, for people.
  var reason: String { get }

  /// Asks for values, before the host opens its clients.
  ///
  /// - Parameters:
  ///   - sampleRateHz: The preferred rate; nil for none.
  ///   - bufferFrames: The preferred buffer size; nil for none.
  /// - Throws: `HostError` when the server or its tools refuse.
  func force(sampleRateHz: Int?, bufferFrames: Int?) async throws(HostError)

  /// Takes the wishes back.
  func giveBack() async
}
