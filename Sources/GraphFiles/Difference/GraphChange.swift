// SPDX-License-Identifier: MIT

/// One difference between two versions of a graph.
///
/// Pure value: [any-thread].
public struct GraphChange: Sendable, Equatable {
  /// The part of a graph that differs.
  public enum Place: Sendable, Hashable {
    /// The names of the host and of its JACK client.
    case name
    /// The host's own session.
    case session
    /// The JACK server.
    case server
    /// The ramp of gain and mute changes.
    case ramp
    /// The alignment of routes without one of their own.
    case align
    /// Whether patches outlive the host.
    case keepPatches
    /// The control tower.
    case tower
    /// The programs that may record.
    case permissions
    /// The adoption rule at this index: of the new graph, or of the old one for a rule that is gone.
    case adoption(Int)
    /// The patch rule at this index: of the new graph, or of the old one for a rule that is gone.
    case patch(Int)
    /// The route of this name.
    case route(String)
    /// The source of this name.
    case source(String)
    /// The entry of `mix` from a source to a route.
    case send(source: String, route: String)
    /// The recorder of this name.
    case recorder(String)
    /// The crossfader.
    case crossfader
    /// The cue bus.
    case cue
    /// Whether the host hears MIDI controllers.
    case midi
    /// The MIDI controller of this name.
    case controller(String)
    /// A control surface.
    case surface(Surface)
    /// The order of the entries of a section.
    case order(Order)
  }

  /// A control surface, by its key in `surfaces`.
  public enum Surface: String, Sendable, CaseIterable {
    /// OSC.
    case osc
    /// OSCQuery.
    case oscquery
    /// The units of a Mackie Control.
    case mackie
    /// The dialect of X-Air mixers.
    case xair
    /// The page in the browser.
    case web
  }

  /// A section whose entries have an order, by its key in the file.
  public enum Order: String, Sendable, CaseIterable {
    /// The routes.
    case routes
    /// The sources.
    case sources
    /// The sends.
    case mix
    /// The recorders.
    case recorders
    /// The MIDI controllers.
    case midi
  }

  /// The kind of difference.
  public enum Kind: Sendable, Equatable {
    /// Only the new graph has it.
    case added
    /// Only the old graph has it.
    case gone
    /// Both have it, with these other values.
    case changed([Value])
    /// Both have it, and the old graph by this name; other values are a change of their own.
    case renamed(from: String)
  }

  /// A value that differs, in the words of the file.
  public struct Value: Sendable, Equatable {
    /// The key, with those above it inside of the place: `gain`, or `limiter.ceiling`.
    public var key: String
    /// The old value; nil for none.
    public var from: String?
    /// The new value; nil for none.
    public var to: String?

    /// Makes a value.
    public init(_ key: String, from: String?, to: String?) {
      self.key = key
      self.from = from
      self.to = to
    }
  }

  /// The part of the graph.
  public var place: Place
  /// The kind of difference.
  public var kind: Kind
  /// The place as a person names it, such as `source deck-a` or `adoption rule 2 (client /mpv.*/)`.
  public var title: String
}

extension GraphChange.Place {
  /// The place as a person names it; a rule is told by its number, from 1.
  var title: String {
    switch self {
    case .name: "name"
    case .session: "session"
    case .server: "server"
    case .ramp: "ramp"
    case .align: "align"
    case .keepPatches: "keepPatches"
    case .tower: "tower"
    case .permissions: "permissions"
    case .adoption(let index): "adoption rule \(index + 1)"
    case .patch(let index): "patch rule \(index + 1)"
    case .route(let name): "route \(name)"
    case .source(let name): "source \(name)"
    case .send(let source, let route): "send \(source) to \(route)"
    case .recorder(let name): "recorder \(name)"
    case .crossfader: "crossfader"
    case .cue: "cue"
    case .midi: "MIDI controllers"
    case .controller(let name): "controller \(name)"
    case .surface(let surface): "surface \(surface.rawValue)"
    case .order(let section): "order of \(section.rawValue)"
    }
  }
}
