// SPDX-License-Identifier: MIT

public import ArgumentParser
import Glibc
import SystemSupport

/// Exit codes of sysexits(3), which scripts rely on. [any-thread]
extension ExitCode {
  /// A graph file, or a value in it, is wrong.
  public static let badData = ExitCode(65)
  /// No server, no host, no socket, or a program is missing.
  public static let unavailable = ExitCode(69)
  /// An internal failure.
  public static let software = ExitCode(70)
  /// The system's limits do not suffice.
  public static let systemLimit = ExitCode(71)
  /// A file cannot be written.
  public static let cannotCreate = ExitCode(73)
  /// The noise of a measurement is too strong for an answer; another try may have one.
  public static let undecided = ExitCode(75)
  /// Not permitted.
  public static let noPermission = ExitCode(77)
}

/// The executable file of this process. [any-thread]
public enum ThisProgram {
  /// Its path.
  ///
  /// - Throws: Status 70 when /proc/self/exe cannot be read.
  public static func path() throws -> String {
    guard let path = Machine.this.executable(of: getpid()) else { throw ExitCode.software }
    return path
  }

  /// The path of another program in the same folder; it need not exist.
  ///
  /// - Throws: Status 70 when /proc/self/exe cannot be read.
  public static func path(ofSibling name: String) throws -> String {
    let own = try path()
    let folder = own.lastIndex(of: "/").map { own[...$0] } ?? ""
    return folder + name
  }
}
