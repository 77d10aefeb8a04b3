// SPDX-License-Identifier: MIT

internal import FoundationEssentials
internal import Glibc
internal import Surfaces
internal import SystemSupport

/// A JSON file of the host's, which is always replaced as a whole.
///
/// Whenever a process or the machine dies, the file holds the last contents or those before. Belongs to the
/// control thread, or to the queue of ``StateStore``: [any-thread].
struct KeptFile: Sendable {
  /// The largest file that is read: far more than a host writes.
  private static let limitBytes = 64 << 20

  /// The reason why a file could not be used.
  struct Fault: Error, CustomStringConvertible {
    let description: String
  }

  let directory: String
  let name: String
  /// The file that earlier releases had for all graphs of one name; nil for a file that belongs to no graph.
  private var former: String?

  /// Names a file of a directory.
  init(directory: String, name: String) {
    self.directory = directory
    self.name = name
  }

  /// Names a file that belongs to one graph.
  ///
  /// - Parameters:
  ///   - base: The name for all graphs, without its ending, such as `state`.
  ///   - graph: The path of the graph file; nil where the directory is that of one graph.
  ///   - directory: The directory.
  init(named base: String, ofGraph graph: String?, in directory: String) {
    self.init(directory: directory, name: "\(base).json")
    guard let graph else { return }
    self = KeptFile(
      directory: directory,
      name: "\(base)-\(MessageDigest.sha256(of: Array(graph.utf8)).prefix(12)).json",
      former: path,
    )
  }

  private init(directory: String, name: String, former: String) {
    self.init(directory: directory, name: name)
    self.former = former
  }

  /// Takes over the file of an earlier release: it goes to the first graph of its name that is played.
  ///
  /// - Returns: The fault in a sentence; nil without one.
  func takeFormer() -> String? {
    guard let former, unsafe access(path, F_OK) != 0, unsafe access(former, F_OK) == 0,
      unsafe rename(former, path) != 0
    else { return nil }
    return "\(former) cannot be renamed: \(SystemError(errno, former).reason)"
  }

  var path: String { "\(directory)/\(name)" }

  // MARK: - Reading

  /// Reads the file.
  ///
  /// - Returns: The value with the faults of single entries; nil without a file.
  /// - Throws: ``Fault`` if nothing of the file can be used.
  func read<Value: Decodable>(_: Value.Type) throws(Fault) -> (value: Value, faults: [String])? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw Fault(description: "it is no regular file")
    }
    guard status.st_size <= Self.limitBytes else {
      throw Fault(description: "it has \(status.st_size) bytes, allowed are \(Self.limitBytes)")
    }
    let faults = ReadingFaults()
    let decoder = JSONDecoder()
    faults.collect(of: decoder)
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf",
      negativeInfinity: Self.silence,
      nan: "nan",
    )
    do {
      let data = try Data(contentsOf: URL(filePath: path))
      return (try decoder.decode(Value.self, from: data), faults.all)
    } catch {
      throw Fault(description: ReadingFaults.words(error))
    }
  }

  /// Renames the file, for people to look at.
  ///
  /// - Returns: A sentence with the fault and the new name.
  func setAside(_ fault: String) -> String {
    let isMoved = unsafe rename(path, nameOfOld) == 0
    return "\(path) cannot be used: \(fault); "
      + (isMoved ? "it is kept as \(nameOfOld)" : "it cannot be renamed either")
  }

  /// Keeps the present contents under another name, too.
  ///
  /// - Returns: A sentence with the faults and the other name.
  func keepAside(_ faults: [String]) -> String {
    let isKept = unsafe link(path, nameOfOld) == 0
    return "\(path): \(faults.joined(separator: "; "))"
      + (isKept ? "; the file as it was is kept as \(nameOfOld)" : "")
  }

  private var nameOfOld: String { "\(path).damaged-\(time(nil))" }

  // MARK: - Writing

  /// Replaces the file, which is safe against the loss of power too.
  ///
  /// - Throws: ``Fault`` with the path and the system's reason; the old file remains then.
  func replace(with value: some Encodable) throws(Fault) {
    let data: Data
    do {
      data = try Self.encoder.encode(value)
    } catch {
      throw Fault(description: "\(path): \(error)")
    }
    try Self.makeDirectory(directory)
    do throws(FileReplacement.Fault) {
      try FileReplacement.replace(path, with: Array(data), mode: 0o600, through: name + ".new")
    } catch {
      throw Fault(description: error.description)
    }
  }

  /// Replaces the file on another thread than the caller's, because the disk may be slow.
  ///
  /// - Throws: ``Fault`` as ``replace(with:)``.
  func replaceElsewhere(with value: some Encodable & Sendable) async throws(Fault) {
    let written = await BackgroundThread.value(name: "file-writer") {
      Result { () throws(Fault) in try replace(with: value) }
    }
    try written.get()
  }

  private static func makeDirectory(_ path: String) throws(Fault) {
    if unsafe mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
      throw fault(path)
    }
    try makeDirectory(String(path[..<slash]))
    guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw fault(path) }
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
}
