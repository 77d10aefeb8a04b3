// SPDX-License-Identifier: MIT

public import ControlProtocol
internal import Sessions

/// One session in full, for `multiroute session show`.
///
/// Pure value: [any-thread].
public enum SessionView {
  /// The lines.
  ///
  /// - Parameters:
  ///   - id: The session's id.
  ///   - detail: Its state.
  ///   - width: The columns of the terminal; nil for any.
  /// - Returns: The text line by line.
  public static func lines(_ id: String, _ detail: SessionDetail, width: Int? = nil) -> [String] {
    let options = detail.$options
    var table = Table(["session \(id)", ""])
    let rows: [(String, String)] = [
      ("category", detail.$category),
      ("mode", detail.$mode),
      ("options", options.isEmpty ? "none" : options.joined(separator: ", ")),
      ("active", yes(detail.active)),
      ("interrupted", yes(detail.interrupted)),
      ("now playing", yes(detail.nowPlaying)),
      ("other audio playing", yes(detail.otherAudioPlaying)),
      ("hint: silence secondary audio", yes(detail.secondaryAudioShouldBeSilenced)),
      ("may record", detail.$permission),
      ("input muted", yes(detail.inputMuted)),
      ("output muted", yes(detail.outputMuted)),
      ("override of the output", detail.outputOverride?.name ?? "unknown"),
      ("preferred input", detail.preferredInput ?? "none"),
      ("waiting requests", waiting(detail)),
      ("strip", detail.strip ?? "none"),
    ]
    for (name, value) in rows { table.add([name, value]) }
    for port in detail.route.outputs { table.add(["output", text(port)]) }
    for port in detail.route.inputs { table.add(["input", text(port)]) }
    for port in detail.availableInputs { table.add(["available input", text(port)]) }
    return table.lines(width: width)
  }

  private static func yes(_ value: Bool) -> String { value ? "yes" : "no" }

  private static func waiting(_ detail: SessionDetail) -> String {
    guard let requests = detail.waitingRequests else { return "unknown" }
    return requests.isEmpty ? "none" : requests.joined(separator: ", ")
  }

  /// `mic (Desk microphone, microphoneBuiltIn), data sources: 1 Front, 2 Back (selected)`.
  private static func text(_ port: PortDetail) -> String {
    let sources = port.dataSources.map { source in
      let isSelected = port.selectedDataSource == source.id
      let pattern = source.selectedPolarPattern.map { ", \($0)" } ?? ""
      return "\(source.id) \(source.name)\(pattern)\(isSelected ? " (selected)" : "")"
    }
    return "\(port.uid) (\(port.name), \(port.typeName))"
      + (sources.isEmpty ? "" : ", data sources: " + sources.joined(separator: ", "))
  }
}
