// SPDX-License-Identifier: MIT

internal import JACK

/// The program behind a JACK client, as permissions name it (PRM-1).
struct Program: Sendable, Hashable {
  /// The file name of its executable; where the machine does not tell, the client's name.
  let name: String
  /// The path of its executable, where the machine tells.
  let executable: String?
  /// Its process, where the machine tells.
  let pid: Int32?

  /// Finds out whose a client is.
  init(client: String) {
    self.init(client: client, process: ClientProcess.find(client: client))
  }

  init(client: String, process: ClientProcess?) {
    name = process?.program ?? ClientProcess.baseName(ofClient: client)
    executable = process?.executable
    pid = process?.pid
  }

  /// The names that an answer may be for, the nearest first.
  var names: [String] { [executable, name].compactMap { $0 } }
}
