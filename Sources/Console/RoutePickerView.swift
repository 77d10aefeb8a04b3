// SPDX-License-Identifier: MIT

public import ControlProtocol
internal import Sessions

/// The routes that a session may use, for `multiroute route`.
///
/// Pure value: [any-thread].
public enum RoutePickerView {
  /// The lines about one session.
  ///
  /// - Parameters:
  ///   - id: The session's id.
  ///   - outputs: The output routes of the graph; nil from a host of an earlier release.
  ///   - width: The columns of the terminal; nil for any.
  /// - Returns: The text line by line.
  public static func lines(
    _ id: String,
    _ outputs: [SessionOutput]?,
    width: Int? = nil,
  ) -> [String] {
    guard let outputs else { return ["\(id): its host is too old to tell its routes"] }
    let chosen = outputs.first(where: \.chosen)
    var table = Table(["\(id)", "name", "type", "state"])
    for output in outputs {
      let mark = output.inUse ? "* " : "  "
      table.add([mark + output.port.uid, output.port.name, output.port.typeName, state(output)])
    }
    return table.lines(width: width)
      + [chosen.map { "\(id) stays on \($0.port.uid), as you chose" } ?? "\(id) follows the rules"]
  }

  private static func state(_ output: SessionOutput) -> String {
    if let reason = output.reason { return "not available: \(reason)" }
    if output.inUse { return output.chosen ? "in use, chosen" : "in use" }
    return output.chosen ? "chosen" : "available"
  }
}

/// The volumes of routes and strips, for `multiroute volume`.
///
/// Pure value: [any-thread].
public enum VolumeView {
  /// The lines about output routes and strips.
  ///
  /// - Parameter status: The host's state.
  /// - Returns: The text line by line.
  public static func lines(_ status: HostStatus) -> [String] {
    var table = Table(["name", "", "volume"], alignments: [.left, .left, .right])
    for route in status.routes where route.direction == .output {
      table.add([route.name, "route", text(route.gainDB, route.muted)])
    }
    for strip in status.strips { table.add([strip.id, "strip", text(strip.gainDB, strip.muted)]) }
    return table.lines()
  }

  /// A volume in percent, with a mute.
  ///
  /// - Parameters:
  ///   - gainDB: The fader in dB.
  ///   - isMuted: Whether it is muted.
  /// - Returns: For instance `50 %`, or `50 %, muted`.
  public static func text(_ gainDB: Double, _ isMuted: Bool) -> String {
    let volume = FaderVolume.volume(gainDB: gainDB, isMuted: false)
    return "\(Int((volume * 100).rounded())) %" + (isMuted ? ", muted" : "")
  }
}
