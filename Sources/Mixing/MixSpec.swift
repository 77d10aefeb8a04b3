// SPDX-License-Identifier: MIT

/// A mix as it should be: strips, routes, and the sends between them.
///
/// A plain value. ``MixEngine/apply(_:fade:tag:)`` finds out what has changed and how to get there
/// without a click.
public struct MixSpec: Sendable, Equatable {
  /// The sources, in the order of the renderer's inputs.
  public var strips: [StripSpec]

  /// The destinations, in the order of the renderer's outputs.
  public var routes: [RouteSpec]

  /// What goes where: at most one send from a strip to a route, silence where there is none.
  public var sends: [SendSpec]

  /// Where the crossfader stands.
  public var crossfader: CrossfaderSpec

  /// Makes a mix; empty unless told otherwise.
  public init(
    strips: [StripSpec] = [],
    routes: [RouteSpec] = [],
    sends: [SendSpec] = [],
    crossfader: CrossfaderSpec = CrossfaderSpec(),
  ) {
    self.strips = strips
    self.routes = routes
    self.sends = sends
    self.crossfader = crossfader
  }

  /// Channels of all strips together: the number of inputs that the renderer reads.
  public var inputChannels: Int { strips.reduce(0) { $0 + $1.channels } }

  /// Channels of all routes together: the number of outputs that the renderer writes.
  public var outputChannels: Int { routes.reduce(0) { $0 + $1.channels } }
}
