// SPDX-License-Identifier: MIT

internal import JACK
internal import SystemSupport

/// The program of a JACK client, as permissions and rules name it (PRM-1, PRM-2).
///
/// Pure value: [any-thread].
struct Program: Sendable, Hashable {
  /// The file name of its executable; the client's name if the program is unknown.
  let name: String
  /// The path of its executable; nil if the program is unknown.
  let executable: String?
  /// The file that its process runs; nil if the program is unknown, or is that of an answer.
  let file: FileIdentity?
  /// Its process; nil if unknown.
  let pid: Int32?
  /// The client's name without a process id in it: `vlc` for the client `vlc_4711`.
  let title: String

  /// The program of a process; the client's name stands in for an unknown program.
  ///
  /// - Parameters:
  ///   - client: The client's name.
  ///   - process: Its process; nil if unknown.
  ///   - nameOfProcess: The name of the program that a process runs; nil for no such process.
  init(
    client: String,
    process: ClientProcess?,
    nameOfProcess: (Int32) -> String? = { _ in nil },
  ) {
    title = Self.title(of: client, pid: process?.pid, nameOfProcess)
    name = process?.program ?? ClientProcess.baseName(ofClient: client)
    executable = process?.executable
    file = process?.file
    pid = process?.pid
  }

  /// The program whose answers are kept under this key; nil for a bare name, which may be that of many programs.
  init?(key: String) {
    if key.hasPrefix("/") {
      self.init(name: ClientProcess.fileName(key), executable: key)
    } else if key.hasPrefix(Self.clientMark) {
      self.init(name: String(key.dropFirst(Self.clientMark.count)), executable: nil)
    } else {
      return nil
    }
  }

  private init(name: String, executable: String?) {
    self.name = name
    self.executable = executable
    file = nil
    pid = nil
    title = name
  }

  /// Cuts a process id off the end of a client's name, as in `vlc_4711` or `MPlayer [4711]`.
  ///
  /// A number counts as a process id if it is the client's, or if that process has the rest of the name.
  private static func title(
    of client: String,
    pid: Int32?,
    _ nameOfProcess: (Int32) -> String?,
  ) -> String {
    let inner = client.hasSuffix("]") ? client.dropLast() : client[...]
    let digits = inner.reversed().prefix { $0.isASCII && $0.isNumber }.count
    guard let number = Int32(inner.suffix(digits)), number > 1 else { return client }
    let marks: Set<Character> = ["_", "-", " ", "[", ".", ":", "("]
    let rest = inner.dropLast(digits)
    let end = rest.lastIndex { !marks.contains($0) }
    guard let end, rest.last.map(marks.contains) == true else { return client }
    let title = String(rest[...end])
    if number == pid { return title }
    // The kernel keeps 15 characters of a name.
    let name = nameOfProcess(number)?.lowercased().prefix { !$0.isNewline }
    return name == title.lowercased().prefix(15) ? title : client
  }

  private static let clientMark = "client:"

  /// The name under which answers for it are kept: the path of its executable, or `client:NAME` for a client that
  /// cannot be identified (PRM-2).
  ///
  /// A path begins with a slash, so no client's name makes a path or the key of another client.
  var key: String { executable ?? Self.clientMark + name }

  /// The name by which graphs and earlier releases may mean it; nil where only its key does.
  ///
  /// A file, too, may be named `client:x`.
  var bareName: String? { Program(key: name) == nil ? name : nil }

  /// The name that a user sees: the file name of its executable; its key where that would be another one's.
  var shownName: String { executable == nil ? key : bareName ?? key }
}
