// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import Patchbay
internal import Sessions

/// The reasons why programs hear silence or their captures.
extension CapturePermissions {
  /// The clients with gates and without outputs, as explanations need them.
  struct Hearing {
    /// The capture gates.
    var gates: [CaptureGate]
    /// The connections from outputs that carry a microphone which were removed, by client.
    var withheld: [String: [ConnectionPair]]
    /// The program of a client.
    var program: (_ client: String) -> Program
  }

  /// The reasons for what the clients of a program hear.
  ///
  /// - Parameters:
  ///   - app: A client, or the name or ``Program/key`` of a program.
  ///   - hearing: The clients and their gates.
  /// - Returns: The reasons, by client: first those of captures.
  func explanations(of app: String, in hearing: Hearing) -> [Why.Explanation] {
    Set(hearing.gates.map(\.client)).union(hearing.withheld.keys).sorted().flatMap { client in
      let program = hearing.program(client)
      guard client == app || [program.key, program.name].contains(app) else {
        return [Why.Explanation]()
      }
      let gates = hearing.gates.filter { $0.client == client }
      let ofCapture =
        gates.isEmpty
        ? [] : [explanation(of: client, program, isOpen: gates.contains(where: \.isOpen))]
      let withheld = hearing.withheld[client, default: []]
      let ofOutputs =
        withheld.isEmpty
        ? [] : [explanation(of: client, program, without: Set(withheld.map(\.source)).sorted())]
      return ofCapture + ofOutputs
    }
  }

  private func explanation(
    of client: String,
    _ program: Program,
    isOpen: Bool,
  ) -> Why.Explanation {
    Why.Explanation(
      session: client,
      level: isOpen ? .full : .silent,
      sentence: isOpen
        ? "\(client) hears what it records."
        : "\(client) records silence: \(reason(of: program)).",
      remedy: remedy(for: program),
      rule: .prm1,
    )
  }

  private func explanation(
    of client: String,
    _ program: Program,
    without outputs: [String],
  ) -> Why.Explanation {
    Why.Explanation(
      session: client,
      level: .silent,
      sentence: "\(client) is not connected to \(outputs.joined(separator: ", ")), "
        + "which \(outputs.count == 1 ? "carries" : "carry") a microphone: \(reason(of: program)).",
      remedy: remedy(for: program),
      rule: .prm3,
    )
  }

  private func reason(of program: Program) -> String {
    let permission = permission(of: program)
    return permission == .granted
      ? "its session does not record now" : "'\(program.shownName)' \(permission.sentence)"
  }

  private func remedy(for program: Program) -> String? {
    permission(of: program) == .granted
      ? nil : "Grant it: multiroute permission grant \(program.shownName)."
  }
}
