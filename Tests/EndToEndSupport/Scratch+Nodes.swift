// SPDX-License-Identifier: MIT

import Foundation
import JACK
import TestSupport

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

/// Waits until nodes say all about themselves, so that a host that starts then knows them.
func waitUntilPublished(_ names: String...) async throws {
  let server = try testServer().name
  let looker = try Recorder(from: [nil], capacityFrames: 1, server: server, name: "early")
  let connection = looker.connection
  func text(_ key: String, _ name: String) throws -> String? {
    try connection.metadata(
      for: MetadataKey(rawValue: "urn:multiroute:node:\(key)"),
      of: connection.uuid(ofClient: name),
    )?.text
  }
  try await waitUntil("\(names) are published") {
    names.allSatisfy { name in
      (try? text("client", name)) == "\(server)/\(name)" && (try? text("kind", name)) != nil
    }
  }
  looker.close()
}
