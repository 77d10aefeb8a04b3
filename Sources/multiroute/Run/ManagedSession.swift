// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandSupport
import Glibc
import GraphFiles
import NSM

/// The session of the New Session Manager that started this program (`$NSM_URL`).
///
/// Only a manager that accepts the program manages it. With a manager that is gone, refuses or does not answer, the program goes
/// on as an ordinary one. Belongs to the control thread.
struct ManagedSession: Sendable {
  private static let variable = "NSM_URL"
  /// The time for the manager's answer to the announcement.
  private static let answerLimit = Duration.seconds(3)
  /// The time from there to the project: as long as managers wait for all programs of a session to answer.
  private static let openLimit = Duration.seconds(60)

  /// Whether the environment names a session manager.
  static var isOffered: Bool { unsafe getenv(variable) != nil }

  /// The project to open.
  let project: NSMProject
  private let client: NSMClient

  /// Joins the session, before the program becomes a client of JACK.
  ///
  /// Programs that this one starts are not members of the session.
  ///
  /// - Parameters:
  ///   - application: The program's name without blanks.
  ///   - capabilities: The program's capabilities.
  /// - Returns: The session with its project; nil if no manager takes the program.
  /// - Throws: Status 69 if the manager's project cannot be used.
  static func join(
    application: String,
    capabilities: Set<NSMClient.Capability>,
  ) async throws -> ManagedSession? {
    guard let url = unsafe getenv(variable).map({ unsafe String(cString: $0) }) else { return nil }
    unsafe unsetenv(variable)
    let client: NSMClient
    do throws(NSMError) {
      client = try NSMClient(
        url: url,
        application: application,
        executable: launchedName,
        capabilities: capabilities,
      )
    } catch {
      return goOn("cannot be reached: \(error)")
    }
    switch await client.join(within: answerLimit) {
    case .managed: break
    case .refused(let refusal):
      return goOn("has refused this program: \(refusal.reason) (error \(refusal.code))")
    case .silent:
      return goOn("does not answer at \(url)")
    }
    guard let project = await firstProject(of: client) else {
      return goOn("has opened no project")
    }
    let session = ManagedSession(project: project, client: client)
    if let fault = project.fault {
      session.refuse(.general, fault)
      Terminal.complain("error: the session manager's project cannot be used: \(fault)")
      throw ExitCode.unavailable
    }
    return session
  }

  /// The program as it was launched: a manager starts it again by this name.
  private static var launchedName: String {
    CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "multiroute"
  }

  private static func goOn(_ fault: String) -> ManagedSession? {
    Terminal.complain(
      "warning: the session manager of $\(variable) \(fault); this program goes on without it"
    )
    return nil
  }

  private static func firstProject(of client: NSMClient) async -> NSMProject? {
    await withTaskGroup(of: NSMProject?.self) { group in
      group.addTask {
        for await request in client.requests {
          if case .open(let project) = request { return project }
          try? client.refuse(request, .notNow, "no project is open")
        }
        return nil
      }
      group.addTask {
        try? await Task.sleep(for: openLimit)
        return nil
      }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
  }

  // MARK: - Answers and reports

  // A manager that has gone misses nothing, and the program plays on: errors of sending are not errors of the program.

  /// Answers that the project is open.
  func opened() { try? client.confirm(.open(project)) }

  /// Answers that the project cannot be opened.
  func refuse(_ code: NSMErrorCode, _ reason: String) {
    try? client.refuse(.open(project), code, reason)
  }

  /// Reports the progress of opening or saving, 0 to 1.
  func setProgress(_ share: Float) { try? client.setProgress(share) }

  /// Reports whether there are unsaved changes.
  func setDirty(_ isDirty: Bool) { try? client.setDirty(isDirty) }

  /// Shows people a text.
  func show(_ text: String, priority: NSMPriority) { try? client.show(text, priority: priority) }

  /// Shows a short text beside the program's name.
  func setLabel(_ text: String) { try? client.setLabel(text) }

  /// Answers the manager's requests until ``end()``.
  ///
  /// - Parameters:
  ///   - save: Writes everything to the disk.
  ///   - open: Opens another project; nil if that needs a new start.
  func serve(
    save: () async throws -> Void = {},
    switching open: ((NSMProject) throws -> Void)? = nil,
  ) async {
    for await request in client.requests {
      switch request {
      case .open(let next):
        guard let open else {
          try? client.refuse(
            request,
            .notNow,
            "this program must be started again for another project"
          )
          continue
        }
        await answer(request) {
          if let fault = next.fault { throw ProjectFault(.general, fault) }
          try open(next)
        }
      case .save:
        await answer(request) {
          setProgress(0)
          try await save()
          setProgress(1)
        }
      case .sessionIsLoaded, .showOptionalGUI, .hideOptionalGUI: break
      }
    }
  }

  private func answer(_ request: NSMRequest, _ work: () async throws -> Void) async {
    do {
      try await work()
      try? client.confirm(request)
    } catch {
      try? client.refuse(request, .general, "\(error)")
    }
  }

  /// Ends ``serve(save:switching:)``.
  func end() { client.end() }
}

extension NSMProject {
  /// The reason why the project cannot be used; nil without one.
  fileprivate var fault: String? {
    let limit = ClientNames.managedLimitBytes
    let isPlain = clientID.unicodeScalars.allSatisfy {
      $0.value >= 0x20 && $0 != ":" && $0 != "\u{7F}"
    }
    guard isPlain, (1...limit).contains(clientID.utf8.count) else {
      return
        "the client id '\(clientID.prefix(80))' cannot be a JACK client's name; allowed: 1 to \(limit) bytes without ':'"
    }
    guard path.hasPrefix("/"), path.utf8.count < Int(PATH_MAX) - 64 else {
      return "the path '\(path.prefix(80))' is not absolute, or too long"
    }
    return nil
  }
}
