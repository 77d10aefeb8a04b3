// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandSupport
import Glibc
import NSM

/// The session of the New Session Manager that started this program (`$NSM_URL`).
///
/// Belongs to the control thread.
struct ManagedSession {
  private let client: NSMClient

  /// Announces the program; nil if no session manager has started it.
  ///
  /// - Throws: Status 69 if the manager cannot be reached.
  init?(application: String, capabilities: Set<NSMClient.Capability>) throws {
    guard let url = unsafe getenv("NSM_URL").map({ unsafe String(cString: $0) }) else { return nil }
    do throws(NSMError) {
      client = try NSMClient(
        url: url,
        application: application,
        executable: "multiroute",
        capabilities: capabilities,
      )
    } catch {
      Terminal.complain("error: the session manager at $NSM_URL cannot be reached: \(error)")
      throw ExitCode.unavailable
    }
  }

  /// Waits for the project, before the program becomes a client of JACK.
  ///
  /// - Returns: The name to use on JACK.
  /// - Throws: Status 69 if the manager refuses the program.
  func waitForName() async throws -> String {
    for await request in client.requests {
      if case .open(let project) = request { return project.clientID }
    }
    Terminal.complain(
      "error: the session manager \(client.refusalReason.map { "refused this program: \($0)" } ?? "is gone")"
    )
    throw ExitCode.unavailable
  }

  /// Answers the manager; call it when the program is ready.
  ///
  /// - Parameter open: Opens another project under another name; nil if that is not possible.
  func serve(switching open: ((_ name: String) throws -> Void)? = nil) async {
    try? client.confirm(.open(NSMProject(path: "", displayName: "", clientID: "")))
    for await request in client.requests {
      do {
        if case .open(let project) = request {
          guard let open else {
            try client.refuse(request, "this program must be started again for another project")
            continue
          }
          try open(project.clientID)
        }
        // The state of hosts and nodes is already in the graph file, the arguments and the state
        // file.
        try client.confirm(request)
      } catch {
        try? client.refuse(request, "\(error)")
      }
    }
  }
}
