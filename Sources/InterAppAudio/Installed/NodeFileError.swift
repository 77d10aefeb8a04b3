// SPDX-License-Identifier: MIT

/// A fault in a node file.
public struct NodeFileError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file.
  public let path: String
  /// Where in the file, from 1; nil for the file as a whole.
  public let line: Int?
  /// What is wrong, and what is allowed.
  public let message: String

  init(path: String, line: Int? = nil, _ message: String) {
    self.path = path
    self.line = line
    self.message = message
  }

  /// `file:line: error: message`.
  public var description: String {
    "\(path):\(line.map { "\($0):" } ?? "") error: \(message)"
  }
}
