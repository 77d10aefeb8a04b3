// SPDX-License-Identifier: MIT

package import Logging
internal import SystemSupport

/// Interface through which the sample rate and the buffer size of a server that another program owns can be set.
package protocol ForeignServerSettings: Sendable {
  /// The method of setting the values, for messages.
  var reason: String { get }

  /// Sets values, before the host opens its clients. [control-thread]
  ///
  /// - Parameters:
  ///   - sampleRateHz: The preferred rate; nil for none.
  ///   - bufferFrames: The preferred buffer size; nil for none.
  /// - Throws: ``ServerControlError`` when the server or its tools refuse.
  func force(sampleRateHz: Int?, bufferFrames: Int?) async throws(ServerControlError)

  /// Sets the buffer size alone, or restores the former one.
  ///
  /// - Parameter bufferFrames: The size; nil for the former one.
  /// - Returns: False where the size is set through JACK, and nothing was done.
  /// - Throws: ``ServerControlError`` when the server or its tools refuse.
  ///
  /// [control-thread]
  func setBuffer(_ bufferFrames: Int?) async throws(ServerControlError) -> Bool

  /// Restores the former values. [control-thread]
  func giveBack() async

  /// The values to restore should this process be killed; nil while there are none. [any-thread]
  var loan: ServerLoan? { get }
}

extension ForeignServerSettings {
  /// The size is set through JACK. [any-thread]
  package func setBuffer(_ bufferFrames: Int?) async throws(ServerControlError) -> Bool { false }
}

/// The former values of a server that another program owns, for a process that outlives the one that has set others
/// (HW-8).
///
/// Pure value: [any-thread].
package enum ServerLoan: Codable, Sendable, Equatable {
  case pipeWire(PipeWireSettings.Changes)
  case jackDBus(JACKDBusSettings.Former)

  /// Restores the values that nobody has changed since. [control-thread]
  package func giveBack(logger: Logger) async {
    switch self {
    case .pipeWire(let changes): await PipeWireSettings(logger: logger).giveBack(loan: changes)
    case .jackDBus(let former): await JACKDBusSettings(logger: logger).giveBack(loan: former)
    }
  }
}

/// Reason why a JACK server cannot be reached, started or set.
///
/// Pure value: [any-thread].
public struct ServerControlError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The kind of failure.
  public enum Code: Sendable, Equatable {
    /// A JACK server does not answer, and the host may not or cannot start one.
    case noServer
    /// The client's name would harm the server.
    case badName
    /// JACK, or the interface of a server that another program owns, refused.
    case refused
  }

  /// The kind of failure.
  public let code: Code
  /// Place, fault, and the remedy where there is one.
  public let description: String

  package init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }

  /// The error of a tool through which a server is set.
  init(_ error: ToolError) { self.init(.refused, error.description) }
}
