// SPDX-License-Identifier: MIT

/// A value that was set by hand on a running host, at its place in a graph.
///
/// Gains count to 0.01 dB, positions and shares to 0.001, delays to 1 µs: values that are equal to that are equal.
/// Pure value: [any-thread].
public struct GraphEdit: Sendable, Equatable {
  /// The part of a graph that has the value.
  public enum Place: Sendable, Hashable {
    /// The source of this name.
    case source(String)
    /// The route of this name.
    case route(String)
    /// The entry of `mix` from a source to a route; a change of its gain makes it where there is none.
    case send(source: String, route: String)
    /// The crossfader.
    case crossfader
    /// The cue bus; a change of its route makes it where there is none.
    case cue
    /// The MIDI controller of this name.
    case controller(String)
    /// The rule for the adopted client of this name; a change makes it where there is none.
    case adoption(client: String)
    /// The connection of these two ports, by their full names.
    case patch(source: String, destination: String)
  }

  /// The value, by the key that has it.
  public enum Value: Sendable, Equatable {
    /// A gain in dB, −∞…24.
    case gain(Double)
    /// Whether it is muted.
    case mute(Bool)
    /// The pan of a source, −1…1.
    case pan(Double)
    /// The share of the inserts, 0…1.
    case wet(Double)
    /// The alignment of a route.
    case align(GraphFile.Route.Alignment)
    /// The inserts in the order of the signal.
    case inserts([GraphFile.NodeUse])
    /// The cells of a send.
    case channels([GraphFile.Send.ChannelSend])
    /// The position of the crossfader, −1…1.
    case position(Double)
    /// The route of the cue bus.
    case to(String)
    /// The sources that are cued.
    case sources([String])
    /// A learned control, which is added to those of a controller.
    case map(ControlMapping)
    /// The state of a connection.
    case patch(GraphFile.PatchState)
    /// The rule for just one adopted client, of which a rule that is there takes the levels.
    case rule(GraphFile.Adoption)
  }

  /// The place.
  public let place: Place
  /// The value.
  public let value: Value

  /// Makes an edit.
  public init(_ place: Place, _ value: Value) {
    self.place = place
    self.value = value.rounded
  }

  /// The names from the top of the graph to the value, such as `routes`, `main` and `gain`, or `mix`, `deck-a`, `main` and `gain`.
  public var path: [String] { place.path + [value.key] }
}

extension GraphEdit.Place {
  /// The names from the top of the graph.
  var path: [String] {
    switch self {
    case .source(let name): ["sources", name]
    case .route(let name): ["routes", name]
    case .send(let source, let route): ["mix", source, route]
    case .crossfader: ["controls", "crossfader"]
    case .cue: ["controls", "cue"]
    case .controller(let name): ["controls", "midi", name]
    case .adoption(let client): ["adopt", client]
    case .patch(let source, let destination): ["patches", source, destination]
    }
  }

  /// The place of this path; nil for another path.
  init?(path: [String]) {
    switch (path.first, path.count) {
    case ("sources", 2): self = .source(path[1])
    case ("routes", 2): self = .route(path[1])
    case ("mix", 3): self = .send(source: path[1], route: path[2])
    case ("controls", 2) where path[1] == "crossfader": self = .crossfader
    case ("controls", 2) where path[1] == "cue": self = .cue
    case ("controls", 3) where path[1] == "midi": self = .controller(path[2])
    case ("adopt", 2): self = .adoption(client: path[1])
    case ("patches", 3): self = .patch(source: path[1], destination: path[2])
    default: return nil
    }
  }
}

extension GraphEdit.Value {
  /// The key that has the value.
  var key: String {
    switch self {
    case .gain: "gain"
    case .mute: "mute"
    case .pan: "pan"
    case .wet: "wet"
    case .align: "align"
    case .inserts: "inserts"
    case .channels: "channels"
    case .position: "position"
    case .to: "to"
    case .sources: "sources"
    case .map: "map"
    case .patch: "patch"
    case .rule: "rule"
    }
  }

  /// The same value as precisely as files have it.
  var rounded: GraphEdit.Value {
    switch self {
    case .gain(let gain): .gain(gain.rounded(toOne: 100))
    case .pan(let pan): .pan(pan.rounded(toOne: 1_000))
    case .wet(let wet): .wet(wet.rounded(toOne: 1_000))
    case .position(let position): .position(position.rounded(toOne: 1_000))
    case .align(.delay(let delay)):
      .align(.delay(.microseconds(Int64((delay.nanoseconds / 1e3).rounded()))))
    case .channels(let cells):
      .channels(
        cells.map { cell in
          var cell = cell
          cell.gainDB = cell.gainDB.rounded(toOne: 100)
          return cell
        }
      )
    case .rule(let rule): .rule(rule.rounded)
    case .mute, .align, .inserts, .to, .sources, .map, .patch: self
    }
  }
}

extension Double {
  /// The nearest multiple of a part of one; infinity stays, and zero has no sign.
  fileprivate func rounded(toOne parts: Double) -> Double {
    isFinite ? (self * parts).rounded() / parts + 0 : self
  }
}
