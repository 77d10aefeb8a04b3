// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import ControlSocket
internal import Surfaces

/// The tree of parameters for one surface inside the host, which is a connection like those of the socket. [any-thread]
final class HostTree: ParameterTree {
  let news: AsyncStream<TreeNews>

  private let host: Host
  private let connection: ConnectionID

  /// Joins a surface to a host.
  ///
  /// - Parameters:
  ///   - host: The host.
  ///   - connection: The surface's connection, which no other has.
  ///   - news: The changes and events that the host sends to it.
  init(host: Host, connection: ConnectionID, news: AsyncStream<TreeNews>) {
    self.host = host
    self.connection = connection
    self.news = news
  }

  func list(_ branch: String) async throws(ControlError) -> [ParameterDescription] {
    try await host.run { rooms throws(ControlError) in
      try rooms.parameters.list(ListParameters.Params(path: branch)).parameters
    }
  }

  func get(_ paths: [String]) async throws(ControlError) -> [ParameterSetting] {
    try await host.run { rooms throws(ControlError) in
      try rooms.parameters.get(GetParameters.Params(paths: paths)).values
    }
  }

  func set(_ settings: [ParameterSetting], rampMilliseconds: Double?) async throws(ControlError) {
    let connection = connection
    try await host.run { rooms throws(ControlError) in
      try await rooms.set(settings, rampMilliseconds: rampMilliseconds, for: connection)
    }
  }

  func watch(_ paths: [String], echoes: Bool) async throws(ControlError) -> [ParameterSetting] {
    let connection = connection
    return try await host.run { rooms throws(ControlError) in
      let params = WatchParameters.Params(paths: paths, echo: echoes)
      let result: Result<[ParameterSetting], ControlError>
      do throws(ControlError) {
        result = .success(try rooms.parameters.watch(params, for: connection).values)
      } catch {
        result = .failure(error)
      }
      let fault: String? = if case .failure(let error) = result { error.message } else { nil }
      if let report = rooms.surfaces.note(watchFault: fault, of: connection) {
        rooms.control.publish(.error(), report)
      }
      return try result.get()
    }
  }

  func close() async {
    let connection = connection
    await host.run { rooms in
      rooms.parameters.connectionClosed(connection)
      rooms.surfaces.close(connection)
    }
  }
}
