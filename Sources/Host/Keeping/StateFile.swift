// SPDX-License-Identifier: MIT

internal import Glibc
internal import Surfaces
internal import SystemSupport

/// The two files with a ``KeptState``: one for the answers about permissions, and one for everything else.
///
/// A damaged file takes nothing of the other with it. Belongs to the control thread, or to the queue of ``StateStore``:
/// [any-thread].
struct StateFile: Sendable {
  /// The version of the format that is written; older ones are read.
  static let formatVersion = 1

  /// The name in its directory of the file with everything but permissions.
  static let name = "state.json"
  /// The name of the file with the permissions.
  static let permissionsName = "permissions.json"

  /// The result of reading.
  struct Found: Sendable, Equatable {
    /// The state; nil without a usable file.
    var state: KeptState?
    /// Files and single values that could not be used, each in a sentence.
    var faults: [String] = []
  }

  private struct StateDocument: Codable {
    var multirouteState: Int
    var state: KeptState
  }

  private struct PermissionsDocument: Codable {
    var multiroutePermissions: Int
    @KeptEntries var permissions: [String: KeptState.Permission]
    /// The files that answers for paths mean; nil in files of earlier releases.
    var files: KeptEntries<FileIdentity>?
  }

  private let directory: String
  private let file: KeptFile

  /// Names the files.
  ///
  /// - Parameters:
  ///   - directory: Their directory.
  ///   - graph: The path of the graph file to which the state belongs; nil where the directory is that of one graph.
  init(directory: String, graph: String? = nil) {
    self.directory = directory
    file = KeptFile(named: "state", ofGraph: graph, in: directory)
  }

  private var permissionsFile: KeptFile {
    KeptFile(directory: directory, name: Self.permissionsName)
  }

  /// The path of the file with everything but permissions.
  var path: String { file.path }
  /// The path of the file with the permissions.
  var permissionsPath: String { permissionsFile.path }

  /// Reads both files; a damaged one is kept under another name, for people to look at.
  ///
  /// Permissions of an older host stand in the file with the state, and are moved to their own. Its state belonged to the
  /// name, and goes to the first graph of that name that is played.
  ///
  /// [control-thread]
  func load() -> Found {
    var found = Found()
    if let fault = file.takeFormer() { found.faults.append(fault) }
    found.state = read(StateDocument.self, from: file, &found.faults) { $0.multirouteState }?.state
    var hasPermissions = false
    if unsafe access(permissionsPath, F_OK) == 0 {
      hasPermissions = true
      let document = read(PermissionsDocument.self, from: permissionsFile, &found.faults) {
        $0.multiroutePermissions
      }
      if let document {
        found.state = found.state ?? KeptState()
        found.state?.permissions = document.permissions
        found.state?.answeredFiles = document.files?.wrappedValue ?? [:]
      } else {
        found.state?.permissions = [:]
      }
    }
    if !hasPermissions, let state = found.state, !state.permissions.isEmpty {
      do throws(KeptFile.Fault) {
        try saveAnswers(of: state)
      } catch {
        found.faults.append("\(error)")
      }
    }
    return found
  }

  private func read<Document: Decodable>(
    _: Document.Type,
    from file: KeptFile,
    _ faults: inout [String],
    version: (Document) -> Int,
  ) -> Document? {
    do throws(KeptFile.Fault) {
      guard let read = try file.read(Document.self) else { return nil }
      guard version(read.value) <= Self.formatVersion else {
        let format = version(read.value)
        faults.append(file.setAside("it has format \(format), made by a newer version"))
        return nil
      }
      if !read.faults.isEmpty { faults.append(file.keepAside(read.faults)) }
      return read.value
    } catch {
      faults.append(file.setAside(error.description))
      return nil
    }
  }

  /// Replaces the files whose contents have changed.
  ///
  /// - Parameters:
  ///   - state: The state to keep.
  ///   - saved: The state that the files hold; nil if they may hold anything.
  /// - Throws: The path and the system's reason; a file that could not be replaced is the old one.
  func save(_ state: KeptState, replacing saved: KeptState? = nil) throws(KeptFile.Fault) {
    let isMissing = unsafe access(permissionsPath, F_OK) != 0
    let isSaved =
      saved?.permissions == state.permissions && saved?.answeredFiles == state.answeredFiles
    if !isSaved, !(isMissing && state.permissions.isEmpty) { try saveAnswers(of: state) }
    var rest = state
    var savedRest = saved
    rest.permissions = [:]
    rest.answeredFiles = [:]
    savedRest?.permissions = [:]
    savedRest?.answeredFiles = [:]
    guard savedRest != rest else { return }
    try file.replace(with: StateDocument(multirouteState: Self.formatVersion, state: rest))
  }

  private func saveAnswers(of state: KeptState) throws(KeptFile.Fault) {
    try permissionsFile.replace(
      with: PermissionsDocument(
        multiroutePermissions: Self.formatVersion,
        permissions: state.permissions,
        files: KeptEntries(wrappedValue: state.answeredFiles),
      )
    )
  }
}
