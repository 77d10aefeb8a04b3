// SPDX-License-Identifier: MIT

import Foundation

extension Scratch {
  /// Makes a folder of node files, the texts by their names without `.node.yaml`, and returns the environment
  /// in which programs find them and no others.
  func installNodes(_ files: [String: String]) throws -> [String: String] {
    let data = try makeFolder("data")
    let folder = data + "/multiroute/nodes"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for (name, text) in files {
      try text.write(toFile: "\(folder)/\(name).node.yaml", atomically: true, encoding: .utf8)
    }
    return ["XDG_DATA_HOME": data, "XDG_STATE_HOME": data, "XDG_DATA_DIRS": "/nonexistent"]
  }

  /// A node file of a delay that passes everything on, and ends with its host.
  static func passingNode(_ name: String) throws -> String {
    """
    node: 1
    kind: effect
    name: \(name)
    client: \(name)
    subtype: dely
    manufacturer: mrte
    publishesItself: true
    command: ["\(try Multiroute.path())", node, run, delay, --mix=0, --name=\(name), --on-loss=stop]
    """
  }

  /// Starts a delay that passes everything on, as a program of its own.
  func passing(_ name: String, _ server: String, _ more: String...) throws -> Child {
    try passing(name, server, more)
  }

  /// The same with a list of options.
  func passing(_ name: String, _ server: String, _ more: [String]) throws -> Child {
    try Child(
      Multiroute.path(),
      ["node", "run", "delay", "--mix", "0", "--name", name, "--server", server] + more,
      environment: hostEnvironment,
      in: self,
    )
  }
}
