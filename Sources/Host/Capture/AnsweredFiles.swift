// SPDX-License-Identifier: MIT

internal import SystemSupport

/// The files that a yes for a path was given for (PRM-2).
///
/// A yes for a path is one for the file that was there. Where only root can write, another file of the path is an upgrade and
/// keeps it. Elsewhere anybody may have put it there, and the user is asked again.
///
/// Belongs to the control thread.
final class AnsweredFiles {
  private let programs: ProgramDirectory
  private let changed: () -> Void
  /// The file of each path to which a user said yes.
  ///
  /// An answer of an earlier release has none yet.
  private(set) var ofUser: [String: FileIdentity] = [:]
  /// The files that were found to be meant, by path; a process may run the one before the upgrade.
  private var meant: [String: Set<FileIdentity>] = [:]

  /// Knows no files yet.
  ///
  /// - Parameters:
  ///   - programs: Looks at the files.
  ///   - changed: Called when ``ofUser`` has changed by itself.
  init(programs: ProgramDirectory, changed: @escaping () -> Void) {
    self.programs = programs
    self.changed = changed
  }

  /// Takes over the files of the last host of this name.
  func restore(_ files: [String: FileIdentity]) { ofUser = files }

  /// Notes the user's yes for a path; nil for the file means the next one of that path.
  func note(_ path: String, _ file: FileIdentity?) {
    ofUser[path] = file
    meant[path] = file.map { [$0] }
  }

  /// Whether a yes for a program's path means the file that it runs.
  ///
  /// - Parameters:
  ///   - program: A program with a path.
  ///   - isOfUser: Whether the yes is the user's; a graph means the file that is at the path now.
  /// - Returns: False also for a file that could not be looked at.
  func isMeant(_ program: Program, isOfUser: Bool) -> Bool {
    guard let path = program.executable else { return false }
    // Without a process it stands for the answer itself.
    guard program.pid != nil else { return true }
    guard let file = program.file else { return false }
    if meant[path]?.contains(file) == true { return true }
    let known = isOfUser ? ofUser[path] : nil
    let isFound = (known == nil || programs.isOnlyRoots(path)) && programs.file(at: path) == file
    guard file == known || isFound else { return false }
    meant[path, default: []].insert(file)
    if isOfUser, known != file {
      ofUser[path] = file
      changed()
    }
    return true
  }
}
