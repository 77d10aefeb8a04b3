// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc
import NSM

/// A project that cannot be opened, with the protocol's code.
///
/// Pure value: [any-thread].
struct ProjectFault: Error, CustomStringConvertible {
  let code: NSMErrorCode
  let description: String

  init(_ code: NSMErrorCode, _ description: String) {
    self.code = code
    self.description = description
  }
}

/// The folder of a project in a session: `graph.yaml`, and `state` with all that users have changed.
///
/// Belongs to the control thread.
struct ProjectFolder {
  /// The graph of a new project: one route, to which programs and sessions can play.
  private static let standardGraph = """
    # The graph of this session; docs/graph-files.md describes all keys, and 'multiroute check' finds faults.
    # It takes effect when the session is opened again.
    multiroute: 1
    routes:
      main: {type: lineOut, ports: [system:playback_1, system:playback_2]}

    """

  let path: String

  /// The directory of the state.
  var statePath: String { path + "/state" }
  private var graphPath: String { path + "/graph.yaml" }

  /// Opens the folder, or makes it.
  ///
  /// - Throws: `createFailed` if it cannot be made or written, `badProject` if something else has the path.
  init(_ path: String) throws(ProjectFault) {
    self.path = path
    var status = stat()
    if unsafe stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFDIR {
      throw ProjectFault(.badProject, "\(path) is a file; a project of MultiRoute is a folder")
    }
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw ProjectFault(.createFailed, "\(path) cannot be made: \(error)")
    }
    guard unsafe access(path, W_OK | X_OK) == 0 else {
      throw ProjectFault(.createFailed, "\(path): \(unsafe String(cString: strerror(errno)))")
    }
  }

  /// Finds the graph to play.
  ///
  /// A named graph counts, and the folder gets a link to it. Otherwise the folder's own graph counts; a new project gets one.
  ///
  /// - Parameter named: The path on the command line.
  /// - Returns: The path of the graph itself, never of a link: relative paths in a graph start in its own folder.
  /// - Throws: `createFailed` if the folder cannot be written, `badProject` for a link to nothing.
  func graph(named: String?) throws(ProjectFault) -> String {
    let isLink = (try? FileManager.default.destinationOfSymbolicLink(atPath: graphPath)) != nil
    let isThere = unsafe access(graphPath, F_OK) == 0
    if let named {
      guard let target = Self.real(named) else { return named }
      if Self.real(graphPath) != target, isLink || !isThere { try link(to: target, isLink) }
      return target
    }
    if let real = Self.real(graphPath) { return real }
    guard !isLink else {
      throw ProjectFault(.badProject, "\(graphPath) is a link to a file that is not there")
    }
    try write(Self.standardGraph)
    return graphPath
  }

  private func link(to target: String, _ isLink: Bool) throws(ProjectFault) {
    do {
      if isLink { try FileManager.default.removeItem(atPath: graphPath) }
      try FileManager.default.createSymbolicLink(
        atPath: graphPath,
        withDestinationPath: target
      )
    } catch {
      throw ProjectFault(.createFailed, "\(graphPath) cannot be made: \(error)")
    }
  }

  private func write(_ text: String) throws(ProjectFault) {
    do {
      try Data(text.utf8).write(to: URL(filePath: graphPath), options: .atomic)
    } catch {
      throw ProjectFault(.createFailed, "\(graphPath) cannot be written: \(error)")
    }
  }

  /// The path of an existing file without links; nil if there is none.
  private static func real(_ path: String) -> String? {
    guard let text = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(text) }
    return unsafe String(cString: text)
  }
}
