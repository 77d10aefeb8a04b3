// SPDX-License-Identifier: MIT

internal import FoundationEssentials
internal import Glibc

/// A file with a ``KeptState``, which is always replaced as a whole.
///
/// Whenever a process or the machine dies, the file holds the last state or the one before it. Belongs to the
/// control thread, or to the queue of ``StateStore``: [any-thread].
struct StateFile: Sendable {
  /// The version of the format that is written; older ones are read.
  static let formatVersion = 1

  /// The file's name in its directory.
  static let name = "state.json"

  /// The reason why a file could not be used.
  struct Fault: Error, CustomStringConvertible {
    let description: String
  }

  /// The result of reading.
  enum Found: Sendable, Equatable {
    /// The file does not exist.
    case nothing
    /// A state.
    case state(KeptState)
    /// A file that cannot be used, and was renamed.
    case setAside(fault: String)
  }

  private struct Document: Codable {
    var multirouteState: Int
    var state: KeptState
  }

  let directory: String

  var path: String { "\(directory)/\(Self.name)" }

  // MARK: - Reading

  /// Reads the file; a damaged file is kept under another name, for people to look at.
  ///
  /// [control-thread]
  func load() -> Found {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return .nothing }
    do {
      let data = try Data(contentsOf: URL(filePath: path))
      let document = try Self.decoder.decode(Document.self, from: data)
      guard document.multirouteState <= Self.formatVersion else {
        return setAside("it has format \(document.multirouteState), made by a newer version")
      }
      return .state(document.state)
    } catch {
      return setAside("\(error)")
    }
  }

  private func setAside(_ fault: String) -> Found {
    let seconds = time(nil)
    let other = "\(path).damaged-\(seconds)"
    let isMoved = unsafe rename(path, other) == 0
    return .setAside(
      fault: "\(path) cannot be used: \(fault); "
        + (isMoved ? "it is kept as \(other)" : "it cannot be renamed either")
    )
  }

  // MARK: - Writing

  /// Replaces the file, which is safe against the loss of power too.
  ///
  /// - Throws: ``Fault`` with the path and the system's reason; the old file remains then.
  func save(_ state: KeptState) throws(Fault) {
    let data: Data
    do {
      data = try Self.encoder.encode(Document(multirouteState: Self.formatVersion, state: state))
    } catch {
      throw Fault(description: "\(path): \(error)")
    }
    try Self.makeDirectory(directory)
    let temporary = path + ".new"
    do throws(Fault) {
      try Self.write(data, to: temporary)
    } catch {
      unsafe unlink(temporary)
      throw error
    }
    guard unsafe rename(temporary, path) == 0 else { throw Self.fault(path) }
    try Self.synchronize(directory)
  }

  private static func write(_ data: Data, to path: String) throws(Fault) {
    let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw fault(path) }
    defer { close(file) }
    var rest = Array(data)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw fault(path) }
      rest = rest.dropFirst(count)
    }
    guard fsync(file) == 0 else { throw fault(path) }
  }

  private static func makeDirectory(_ path: String) throws(Fault) {
    if unsafe mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
      throw fault(path)
    }
    try makeDirectory(String(path[..<slash]))
    guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw fault(path) }
  }

  /// Makes a rename durable.
  private static func synchronize(_ directory: String) throws(Fault) {
    let descriptor = unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw fault(directory) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw fault(directory) }
  }

  private static func fault(_ path: String) -> Fault {
    Fault(description: "\(path): \(unsafe String(cString: strerror(errno)))")
  }

  // MARK: - Coding

  /// JSON has no infinity: silence is the text `-inf`.
  private static let silence = "-inf"

  private static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf",
      negativeInfinity: silence,
      nan: "nan",
    )
    return encoder
  }

  private static var decoder: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf",
      negativeInfinity: silence,
      nan: "nan",
    )
    return decoder
  }
}

/// The directory where hosts keep their state: `$XDG_STATE_HOME/multiroute/<host name>`, or below
/// `~/.local/state`.
enum StateDirectory {
  /// The directory of a host; it may not exist yet. [any-thread]
  ///
  /// - Parameters:
  ///   - hostName: The host's name.
  ///   - environment: The process's environment.
  /// - Returns: The path; nil if neither variable is an absolute path.
  static func path(
    hostName: String,
    environment: [String: String] = ProcessInfo.processInfo.environment,
  ) -> String? {
    let home = environment["HOME"].map { $0 + "/.local/state" }
    return [environment["XDG_STATE_HOME"], home].compactMap { $0 }.first { $0.hasPrefix("/") }
      .map { "\($0)/multiroute/\(hostName)" }
  }
}
