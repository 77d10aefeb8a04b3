// SPDX-License-Identifier: MIT

public import ControlProtocol
internal import Sessions

/// The plan of another version of a graph as text, for `multiroute apply`.
///
/// Pure value: [any-thread].
public enum PlanView {
  /// The width for which lines are broken.
  private static let width = 80

  /// The lines.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - path: The graph file, as the user names it.
  /// - Returns: The text line by line.
  public static func lines(_ plan: GraphPlan, path: String) -> [String] {
    guard !plan.isEmpty else { return ["\(path): nothing to do"] }
    let count = plan.changes.count
    var lines = ["\(path): \(count) \(count == 1 ? "change" : "changes")"]
    for change in plan.changes { lines += self.lines(change) }
    lines += section("heard", plan.heard.map(text))
    if plan.heard.isEmpty, plan.server == nil { lines += ["", "heard: nothing"] }
    lines += section("sessions", plan.sessions.map(text))
    lines += section("hardware", plan.hardware.map(text))
    if let server = plan.server { lines += section("server", [text(server)]) }
    return lines.map(ShownText.clean)
  }

  private static func section(_ title: String, _ texts: [String]) -> [String] {
    texts.isEmpty ? [] : ["", "\(title):"] + texts.flatMap { broken("  \($0)", indent: 4) }
  }

  private static func lines(_ change: GraphPlan.Change) -> [String] {
    let start = "  \(change.$kind) \(change.part)"
    if change.values.count <= 1 {
      let was = change.was.map { ", was \($0)" } ?? ""
      let value = change.values.first.map { ": \(text($0))" } ?? ""
      return broken(start + was + value, indent: 6)
    }
    return broken(start + ":", indent: 6)
      + change.values.flatMap { broken("      \(text($0))", indent: 8) }
  }

  private static func text(_ value: GraphPlan.Value) -> String {
    "\(value.key) \(value.from ?? "none") → \(value.to ?? "none")"
  }

  private static func text(_ heard: GraphPlan.Heard) -> String {
    let place =
      switch (heard.strip, heard.route) {
      case (let strip?, let route?): "send \(strip) to \(route)"
      case (let strip?, nil): "strip \(strip)"
      case (nil, let route?): "route \(route)"
      case (nil, nil): "mix"
      }
    let ramp = "over \(milliseconds(heard.rampMilliseconds))"
    let effect =
      switch heard.effect {
      case .fadesIn: "fades in \(ramp)"
      case .fadesOut: "fades out \(ramp)"
      case .ramps: "ramps \(ramp)"
      case .pauses: pause(heard)
      case nil: heard.$effect
      }
    return "\(place) \(effect): \(heard.reason)"
  }

  private static func pause(_ heard: GraphPlan.Heard) -> String {
    let fade = milliseconds(heard.rampMilliseconds)
    let silence =
      switch heard.silentMilliseconds {
      case 0?: ""
      case let time?: ", is silent for \(milliseconds(time))"
      case nil: ", is silent for as long as its device or program takes"
      }
    return "fades out over \(fade)\(silence) and fades in again over \(fade)"
  }

  private static func text(_ session: GraphPlan.SessionChange) -> String {
    let effect =
      switch session.effect {
      case .opens: "begins"
      case .ends: "ends"
      case .interrupted: "is interrupted"
      case .resumes: "goes on after its interruption"
      case .silenced: "falls silent"
      case .heard: "is heard"
      case .ducked: "is lowered"
      case .restored: "is not lowered any more"
      case .losesRecording: "may not record any more"
      case .mayRecord: "may record"
      case nil: session.$effect
      }
    let app = session.app == session.session ? "" : " of \(session.app)"
    return "\(session.session)\(app) \(effect): \(session.reason)"
  }

  private static func text(_ change: GraphPlan.HardwareChange) -> String {
    switch change.value {
    case "sampleRateHz": "sample rate \(change.from) → \(change.to) Hz"
    case "ioBufferFrames": "I/O buffer \(change.from) → \(change.to) frames"
    default: "\(change.value) \(change.from) → \(change.to)"
    }
  }

  private static func text(_ server: GraphPlan.ServerChange) -> String {
    let effect =
      switch server.effect {
      case .hostStartsAgain: "stop the host and start it with this graph"
      case .restarts: "the server is started anew"
      case .changes: "the host goes over to a server with the new settings"
      case nil: server.$effect
      }
    let time =
      server.silentMilliseconds.map { "about \(milliseconds($0)), as the last time" }
      ?? "a time that is not known yet"
    return "\(effect), because \(server.reason); everything is silent for \(time)"
  }

  private static func milliseconds(_ time: Double) -> String {
    "\(Figures.plain(time, decimals: time < 10 ? 1 : 0)) ms"
  }

  /// A line in pieces that fit, broken at blanks; the further ones are indented.
  private static func broken(_ line: String, indent: Int) -> [String] {
    var lines: [String] = []
    var rest = line[...]
    while rest.count > width {
      let limit = rest.index(rest.startIndex, offsetBy: width + 1)
      let start = rest.index(rest.startIndex, offsetBy: indent + 1)
      guard let blank = rest[start..<limit].lastIndex(of: " ") else { break }
      lines.append(String(rest[..<blank]))
      rest = String(repeating: " ", count: indent) + rest[rest.index(after: blank)...]
    }
    return lines + [String(rest)]
  }
}
