// SPDX-License-Identifier: MIT

import Glibc
import JACK
import OSC
import TestSupport

@testable import EndToEndSupport

/// `multiroute` as a session manager starts it.
final class ManagedProgram: Sendable {
  let manager: SessionManager
  let child: Child
  /// The program's OSC address.
  let address: String
  /// The file name that it has announced.
  let announcedExecutable: String
  /// The application name that it has announced.
  let announcedName: String

  /// Starts the program, and waits until it has announced itself.
  ///
  /// - Parameters:
  ///   - arguments: Its arguments.
  ///   - program: Its path; nil for `multiroute` itself.
  ///   - manager: The manager.
  ///   - scratch: Where files and sockets go.
  /// - Throws: ``TestFailure`` when it does not announce itself.
  init(
    _ arguments: [String],
    program: String? = nil,
    manager: SessionManager,
    in scratch: Scratch,
  ) async throws {
    self.manager = manager
    child = try Child(
      try program ?? Multiroute.path(),
      arguments,
      environment: scratch.hostEnvironment.merging(["NSM_URL": manager.url]) { $1 },
      in: scratch,
    )
    let announcement = try await manager.next("/nsm/server/announce")
    address = announcement.sender
    announcedName = announcement.values[0].text
    announcedExecutable = announcement.values[2].text
  }

  /// Opens a project, and waits for the answer: 0, or the code of an error.
  func open(_ path: String, as clientID: String) async throws -> Int32 {
    try manager.open(path, as: clientID, at: address)
    return try await manager.answer(to: "open")
  }

  /// Saves, and waits for the answer: 0, or the code of an error.
  func save() async throws -> Int32 {
    try manager.send("/nsm/client/save", to: address)
    return try await manager.answer(to: "save")
  }

  /// Ends it as a session manager does.
  func end() async throws -> Child.End {
    child.send(SIGTERM)
    return try await child.waitForEnd()
  }
}

/// The clients that have come to a server since the watch began, and have not gone.
final class ClientWatch {
  private let watcher: ActiveClient
  private let task: Task<Void, Never>
  private let names = Names()

  private actor Names {
    var present: Set<String> = []
    var seen: Set<String> = []

    func take(_ notification: ClientNotification) {
      switch notification {
      case .clientRegistered(let name):
        present.insert(name)
        seen.insert(name)
      case .clientUnregistered(let name): present.remove(name)
      default: break
      }
    }
  }

  /// Begins to watch a server.
  init(server: String) throws {
    let opened = try OpenedClient.open(name: "watcher", server: server)
    let notifications = opened.connection.notifications
    watcher = try opened.activate()
    task = Task { [names] in
      for await notification in notifications { await names.take(notification) }
    }
  }

  deinit { task.cancel() }

  /// The ports to which a port is connected.
  func connections(of port: String) throws -> [String] {
    try watcher.connection.connections(ofPort: port)
  }

  /// The clients of now.
  var present: Set<String> { get async { await names.present } }
  /// The clients of now and earlier.
  var seen: Set<String> { get async { await names.seen } }
}
