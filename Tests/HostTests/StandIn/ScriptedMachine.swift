// SPDX-License-Identifier: MIT

import InterAppAudio

@testable import Host

/// A machine that starts programs as values.
final class ScriptedMachine {
  /// A program that was started.
  final class Program: NodeProcess, @unchecked Sendable {
    let processID: Int32
    var hasEnded = false
    var end: String?
    private(set) var signals: [Int32] = []
    init(_ processID: Int32) { self.processID = processID }
    func send(_ signal: Int32) { signals.append(signal) }
  }

  var files: [InstalledNode] = []
  var stopped: Set<Int32> = []
  private(set) var programs: [Program] = []

  /// Installs an effect that can be started.
  func install(_ name: String) {
    files.append(
      InstalledNode(
        description: Node.effect(name).description,
        client: name,
        command: ["run-\(name)"],
        path: "/nodes/\(name).node",
        publishesItself: true,
      )
    )
  }

  var asNodeMachine: NodeMachine {
    NodeMachine(
      readFiles: { [unowned self] in (files, []) },
      noteUse: { _ in },
      start: { [unowned self] _, _ throws(InterAppAudioError) in
        programs.append(Program(Int32(100 + programs.count)))
        return programs[programs.count - 1]
      },
      isStopped: { [unowned self] in stopped.contains($0) },
    )
  }
}
