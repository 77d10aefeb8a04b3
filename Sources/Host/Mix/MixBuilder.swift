// SPDX-License-Identifier: MIT

internal import GraphFiles
internal import Mixing

/// The mix that a graph file asks for at the start. [any-thread]
enum MixBuilder {
  /// Makes the mix.
  ///
  /// - Parameters:
  ///   - graph: A graph without errors.
  ///   - channels: The number of channels of each source, by name.
  ///   - sampleRateHz: The sample rate, for limiters that look ahead.
  /// - Returns: The mix.
  static func spec(
    of graph: GraphFile,
    channels: [String: Int],
    sampleRateHz: Double,
  ) -> MixSpec {
    MixSpec(
      strips: graph.sources.map { strip($0, channels: channels[$0.name] ?? 1, of: graph) },
      routes: graph.outputRoutes.map {
        route($0, cue: graph.cue, sampleRateHz: sampleRateHz)
      },
      sends: graph.sends.map { send in
        let routeChannels = graph.route(named: send.route)?.channels ?? 1
        return self.send(send, from: channels[send.source] ?? 1, to: routeChannels)
      },
      crossfader: crossfader(graph.crossfader),
    )
  }

  private static func strip(
    _ source: GraphFile.Source,
    channels: Int,
    of graph: GraphFile,
  ) -> StripSpec {
    StripSpec(
      id: source.name,
      channels: channels,
      faderDB: source.gainDB,
      isMuted: source.isMuted,
      isCued: graph.isCued(source.name),
      // A source with its own session is silent until the tower opens its gate (ACT-1).
      isGated: source.session != nil,
      crossfaderSide: graph.crossfaderSide(of: source.name),
      pan: source.pan,
      meterTap: StripSpec.MeterTap(source.meterTap),
    )
  }

  private static func route(
    _ route: GraphFile.Route,
    cue: GraphFile.Cue?,
    sampleRateHz: Double,
  ) -> RouteSpec {
    let limiter = route.limiter.map {
      LimiterSpec(
        ceilingDB: $0.ceilingDB,
        releaseSeconds: $0.releaseDuration.seconds,
        lookaheadFrames: Int(($0.lookaheadDuration.seconds * sampleRateHz).rounded()),
      )
    }
    let isCue = cue?.route == route.name
    return RouteSpec(
      id: route.name,
      channels: route.channels,
      gainDB: route.gainDB,
      isMuted: route.isMuted,
      limiter: limiter,
      receivesCue: isCue,
      cueGainDB: isCue ? cue?.gainDB ?? 0 : 0,
    )
  }

  private static func send(
    _ send: GraphFile.Send,
    from stripChannels: Int,
    to routeChannels: Int,
  ) -> SendSpec {
    var matrix: [[Float]]?
    if let cells = send.channels {
      var rows = Array(
        repeating: [Float](repeating: 0, count: stripChannels),
        count: routeChannels,
      )
      for cell in cells {
        rows[cell.routeChannel - 1][cell.sourceChannel - 1] =
          Decibels.linear(fromDB: cell.gainDB)
      }
      matrix = rows
    }
    return SendSpec(
      strip: send.source,
      route: send.route,
      gainDB: send.gainDB,
      isMuted: send.isMuted,
      isPreFader: send.isPreFader,
      matrix: matrix,
      pan: send.pan == 0 ? nil : send.pan,
    )
  }

  private static func crossfader(_ crossfader: GraphFile.Crossfader?) -> CrossfaderSpec {
    guard let crossfader else { return CrossfaderSpec() }
    let curve: CrossfaderSpec.Curve =
      switch crossfader.curve {
      case .equalPower: .equalPower
      case .linear: .linear
      case .cut: .cut
      }
    return CrossfaderSpec(position: crossfader.position, curve: curve)
  }
}

extension StripSpec.MeterTap {
  /// The tap that a graph file names. [any-thread]
  init(_ tap: GraphFile.MeterTap) {
    self =
      switch tap {
      case .pre: .pre
      case .post: .post
      }
  }
}

/// The controls of a strip, by the name that the graph file gives it. [any-thread]
extension GraphFile {
  /// The side of the crossfader that the strip is on.
  func crossfaderSide(of strip: String) -> StripSpec.CrossfaderSide {
    guard let crossfader else { return .none }
    if crossfader.b.contains(strip) { return .b }
    return crossfader.a.contains(strip) ? .a : .none
  }

  /// Whether the strip starts cued.
  func isCued(_ strip: String) -> Bool { cue?.sources.contains(strip) ?? false }
}
