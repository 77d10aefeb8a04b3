// SPDX-License-Identifier: MIT

import ArgumentParser
import Glibc
import NSM

/// A session of the New Session Manager, where the program was started by one (`$NSM_URL`).
struct ManagedSession {
  private let client: NSMClient

  /// Announces the program; nil where no session manager has started it.
  ///
  /// - Throws: Status 69 where the manager cannot be reached.
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
      Terminal.complain("error: session manager: \(error)")
      throw ExitCode.unavailable
    }
  }

  /// Waits for the project, before the program becomes a client of JACK.
  ///
  /// - Returns: The name to use on JACK.
  /// - Throws: Status 69 where the manager refuses the program.
  func waitForName() async throws -> String {
    for await request in client.requests {
      if case .open(let project) = request { return project.clientID }
    }
    Terminal.complain("error: session manager: \(client.refusalReason ?? "it is gone")")
    throw ExitCode.unavailable
  }

  /// Answers the manager from the moment on that the program is ready.
  ///
  /// - Parameter open: Opens another project under another name; nil where that is not possible.
  func serve(switching open: ((_ name: String) throws -> Void)? = nil) async {
    try? client.confirm(.open(NSMProject(path: "", displayName: "", clientID: "")))
    for await request in client.requests {
      do {
        if case .open(let project) = request {
          guard let open else {
            try client.refuse(request, "another project needs a new start")
            continue
          }
          try open(project.clientID)
        }
        // What a host or node holds is in its graph, its arguments and its state file, always.
        try client.confirm(request)
      } catch {
        try? client.refuse(request, "\(error)")
      }
    }
  }
}
