// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles

/// The strips and routes whose sound is exchanged for another one.
///
/// Pure value: [any-thread].
struct GraphPauses {
  /// The keys of a source with its origin: another value is another sound.
  private static let origins = ["file", "tone", "input", "ports", "node", "channels"]
  /// The keys of a route with its ports.
  private static let ports = ["ports", "device", "njbridge", "jacktrip", "direction"]

  private(set) var heard: [GraphPlan.Heard] = []
  /// The strips among them.
  private(set) var strips: Set<String> = []

  /// Finds them.
  ///
  /// - Parameters:
  ///   - difference: The differences of two versions.
  ///   - new: The newer version.
  ///   - rampMilliseconds: The ramp of each fade.
  ///   - periodMilliseconds: The length of a period.
  init(
    _ difference: GraphDifference,
    new: GraphFile,
    rampMilliseconds: Double,
    periodMilliseconds: Double,
  ) {
    let renames = PortRenames(
      strips: difference.renamedSources,
      routes: difference.renamedRoutes,
    )
    let parts = VersionParts(
      from: difference.before,
      to: new,
      renames,
    )
    let pause = PauseLength(
      channels: parts.rewiredChannels,
      rampMilliseconds: rampMilliseconds,
      periodMilliseconds: periodMilliseconds,
    )
    for change in difference.changes {
      guard case .changed(let values) = change.kind else { continue }
      let keys = Set(values.map { String($0.key.prefix { $0 != "." }) })
      switch change.place {
      case .source(let name):
        if let key = Self.origins.first(where: keys.contains) {
          strips.insert(name)
          heard.append(
            GraphPlan.Heard(
              strip: name,
              effect: .pauses,
              rampMilliseconds: rampMilliseconds,
              // A node may have to start first.
              silentMilliseconds: new.nodeSources[name] == nil ? pause.silentMilliseconds : nil,
              reason: "'\(key)' changes",
            )
          )
        } else if keys.contains("inserts") || keys.contains("wet") {
          heard.append(
            GraphPlan.Heard(
              strip: name,
              effect: .ramps,
              rampMilliseconds: rampMilliseconds,
              reason: "its effects change",
            )
          )
        }
      case .route(let name) where new.route(named: name)?.direction == .output:
        if let key = Self.ports.first(where: keys.contains) {
          heard.append(
            GraphPlan.Heard(
              route: name,
              effect: .pauses,
              rampMilliseconds: rampMilliseconds,
              silentMilliseconds: key == "ports" ? pause.silentMilliseconds : nil,
              reason: "'\(key)' changes",
            )
          )
        } else if keys.contains("inserts") || keys.contains("wet") {
          heard.append(
            GraphPlan.Heard(
              route: name,
              effect: .ramps,
              rampMilliseconds: rampMilliseconds,
              reason: "its effects change",
            )
          )
        }
      default: break
      }
    }
  }
}
