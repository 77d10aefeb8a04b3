// SPDX-License-Identifier: MIT

extension GraphFile {
  /// What the graph holds, one line each: a head line, then session, routes, sources and controls.
  public var summary: [String] {
    fatalError("unwritten")
  }
}
