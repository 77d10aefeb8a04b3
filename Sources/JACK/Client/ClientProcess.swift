// SPDX-License-Identifier: MIT

internal import Glibc
package import SystemSupport

/// The process behind a JACK client, and the program that it runs.
///
/// Pure value: [any-thread].
public struct ClientProcess: Sendable, Hashable {
  /// The process.
  public let pid: Int32
  /// The path of its program's file; nil for a process that hides it, as one that is not dumpable does.
  public let executable: String?
  /// The identity of its program's file; nil where that is hidden.
  package let file: FileIdentity?

  /// The file name of its program, which rules and permissions use; nil where that is hidden.
  public var program: String? { executable.map(Self.fileName) }

  /// Makes the value from its parts.
  package init(pid: Int32, executable: String?, file: FileIdentity? = nil) {
    self.pid = pid
    self.executable = executable
    self.file = file
  }

  /// The process of that number; nil for none.
  ///
  /// - Parameter pid: The process.
  ///
  /// [any-thread]
  public init?(pid: Int32) {
    guard Machine.this.state(of: pid) != .ended else { return nil }
    let executable = Machine.this.executable(of: pid)
    let file = Machine.this.identity(ofExecutableOf: pid)
    // Both or none: a program is known by its path and its file.
    let isShown = executable != nil && file != nil
    self.init(pid: pid, executable: isShown ? executable : nil, file: isShown ? file : nil)
  }

  /// The name of a client without the number that JACK puts behind a name that is taken: `mpv-01`.
  ///
  /// [any-thread]
  public static func baseName(ofClient client: String) -> String {
    let number = client.suffix(3)
    guard client.utf8.count > 3, number.first == "-",
      number.dropFirst().allSatisfy({ $0.isASCII && $0.isNumber })
    else { return client }
    return String(client.dropLast(3))
  }

  /// The part of a path after its last slash.
  package static func fileName(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }
}
