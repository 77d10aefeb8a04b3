// SPDX-License-Identifier: MIT

import Glibc
import NIOCore

/// The host that a client wants.
public enum HostAddress: Hashable, Sendable {
  /// The only running host; an error if several run.
  case only
  /// The host with this name.
  case name(String)
  /// The host with this socket.
  case path(String)
}

extension HostAddress {
  /// The path of the host's socket.
  ///
  /// - Parameter directory: The directory of the sockets; nil for ``SocketPath/directory()``.
  /// - Returns: The path.
  /// - Throws: ``ControlClientError``; for an unknown host it names the known ones, for a folder that others could have
  ///   filled it is `notPermitted`.
  /// [any-thread]
  public func path(directory: String? = nil) throws(ControlClientError) -> String {
    try path(directory: directory, looksAtOnlySocket: true)
  }

  /// The path of the host's socket.
  ///
  /// - Parameters:
  ///   - directory: The directory of the sockets; nil for ``SocketPath/directory()``.
  ///   - looks: Whether to look if somebody listens at the only socket of the folder; false where the caller connects, and
  ///     sees it then.
  /// - Returns: The path.
  /// - Throws: As ``path(directory:)``.
  /// [any-thread]
  func path(
    directory: String?,
    looksAtOnlySocket looks: Bool,
  ) throws(ControlClientError) -> String {
    switch self {
    case .path(let path):
      guard path.utf8.count <= SocketPath.longestPathBytes else {
        let limit = SocketPath.longestPathBytes
        throw ControlClientError(.noSuchHost, "\(path): longer than the \(limit) bytes allowed")
      }
      return path
    case .name(let name):
      try HostTrust.check(folder: directory ?? SocketPath.directory())
      return try Self.path(name, directory)
    case .only:
      try HostTrust.check(folder: directory ?? SocketPath.directory())
      return try Self.onlyPath(directory, looksAtOnlySocket: looks)
    }
  }

  /// The path of the only running host; sockets of dead hosts do not count.
  private static func onlyPath(
    _ directory: String?,
    looksAtOnlySocket looks: Bool,
  ) throws(ControlClientError) -> String {
    var names: [String] = []
    let sockets = SocketPath.hostNames(directory: directory)
    for name in sockets {
      let path = try path(name, directory)
      if !looks, sockets.count == 1 { return path }
      if SocketProbe.isListening(path) { names.append(name) }
    }
    guard let name = names.first else { throw .noSuchHost(nil, directory: directory) }
    guard names.count == 1 else {
      throw ControlClientError(
        .ambiguousHost,
        "several hosts are running; name one of these: \(names.joined(separator: ", "))",
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

/// Connections to a socket without an event loop. [any-thread]
public enum SocketProbe {
  /// Tries to connect without waiting; a full queue of connections counts as a running host.
  public static func isListening(_ path: String) -> Bool {
    guard let descriptor = stream(CInt(SOCK_NONBLOCK.rawValue)) else { return false }
    defer { Glibc.close(descriptor) }
    return connect(descriptor, to: path) || errno == EAGAIN
  }

  /// Connects, for a thread that waits for each answer.
  ///
  /// - Parameter path: The path of the socket.
  /// - Returns: The descriptor, which the caller closes; nil where nobody listens.
  package static func connect(to path: String) -> CInt? {
    guard let descriptor = stream() else { return nil }
    if connect(descriptor, to: path) { return descriptor }
    Glibc.close(descriptor)
    return nil
  }

  private static func stream(_ flags: CInt = 0) -> CInt? {
    let type = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | flags
    let descriptor = socket(AF_UNIX, type, 0)
    return descriptor >= 0 ? descriptor : nil
  }

  private static func connect(_ descriptor: CInt, to path: String) -> Bool {
    guard let address = try? SocketAddress(unixDomainSocketPath: path) else { return false }
    return unsafe address.withSockAddr { pointer, size in
      unsafe Glibc.connect(descriptor, pointer, socklen_t(size))
    } == 0
  }
}
