// SPDX-License-Identifier: MIT

extension HostAddress {
  /// The path of the host's socket.
  ///
  /// - Parameter directory: Where sockets are looked for; nil for ``SocketPath/directory()``.
  /// - Returns: The path.
  /// - Throws: ``ControlClientError``; when there is no such host it names those there are.
  /// [any-thread]
  public func path(directory: String? = nil) throws(ControlClientError) -> String {
    switch self {
    case .path(let path):
      guard path.utf8.count <= SocketPath.longestPathBytes else {
        let limit = SocketPath.longestPathBytes
        throw ControlClientError(.noSuchHost, "\(path): longer than the \(limit) bytes allowed")
      }
      return path
    case .name(let name):
      return try Self.path(name, directory)
    case .only:
      return try Self.onlyPath(directory)
    }
  }

  /// The path of the only host that lives; sockets of dead ones do not count.
  private static func onlyPath(_ directory: String?) throws(ControlClientError) -> String {
    var names: [String] = []
    for name in SocketPath.hostNames(directory: directory)
    where SocketProbe.isListening(try path(name, directory)) {
      names.append(name)
    }
    guard let name = names.first else { throw .noSuchHost("any host", directory: directory) }
    guard names.count == 1 else {
      throw ControlClientError(
        .ambiguousHost,
        "several hosts run: say which one of \(names.joined(separator: ", "))",
      )
    }
    return try path(name, directory)
  }

  private static func path(
    _ name: String,
    _ directory: String?,
  ) throws(ControlClientError) -> String {
    do throws(ControlServerError) {
      return try SocketPath.path(hostName: name, directory: directory)
    } catch {
      throw ControlClientError(.noSuchHost, error.description)
    }
  }
}
