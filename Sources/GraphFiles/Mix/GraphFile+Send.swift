// SPDX-License-Identifier: MIT

internal import YAML

extension GraphFile {
  /// A source that goes to a route, one entry of `mix`.
  public struct Send: Sendable, Equatable {
    /// The name of the source.
    public var source: String
    /// The name of the output route.
    public var route: String
    /// The gain of the send in dB, −∞…24.
    public var gainDB = 0.0
    /// Left −1…1 right, equal power; always 0 unless the route has two channels.
    public var pan = 0.0
    /// Whether the send starts muted.
    public var isMuted = false
    /// Whether the send takes the source before its fader.
    public var isPreFader = false
    /// The pairs of source channel and route channel.
    ///
    /// With nil one channel goes to every channel of the route, and several go to the route channels of the same numbers.
    public var channels: [ChannelSend]?
  }
}

extension GraphFile.Send {
  /// One cell of a send's channel matrix.
  public struct ChannelSend: Sendable, Equatable {
    /// The source channel, counted from 1.
    ///
    /// The source has this channel, unless its channels are not known.
    public var sourceChannel: Int
    /// The route channel, counted from 1.
    public var routeChannel: Int
    /// A gain of this cell in dB, −∞…24, in addition to the send's.
    public var gainDB = 0.0

    /// Makes a cell; the channels are counted from 1.
    public init(sourceChannel: Int, routeChannel: Int, gainDB: Double = 0) {
      self.sourceChannel = sourceChannel
      self.routeChannel = routeChannel
      self.gainDB = gainDB
    }
  }
}

/// The keys of one entry of `mix`.
enum SendKey: String, SectionKey {
  static let section = "mix entry"
  case from, to, gain, pan, mute, preFader, channels
}

extension GraphFile.Send {
  init(_ entry: Field) {
    self.init(source: "", route: "")
    guard let section = Section<SendKey>(entry.node, log: entry.log) else { return }
    source = section.required(.from, example: "SOURCE")?.graphName() ?? ""
    route = section.required(.to, example: "ROUTE")?.graphName() ?? ""
    gainDB = section[.gain]?.decibels() ?? gainDB
    pan = section[.pan]?.balance() ?? pan
    isMuted = section[.mute]?.flag() ?? isMuted
    isPreFader = section[.preFader]?.flag() ?? isPreFader
    channels = section[.channels]?.channelSends()
    if channels?.isEmpty == true {
      section[.channels]?.error("the list is empty; remove the key or name a pair of channels")
    }
    if channels != nil, let pan = section[.pan] {
      pan.error("'channels' says where each channel goes; give gains there instead")
    }
  }
}

extension Field {
  /// The cells of a send.
  func channelSends() -> [GraphFile.Send.ChannelSend]? {
    list(allowed: "a list of [source channel, route channel]")?.map { $0.channelSend() }
  }

  /// `[source channel, route channel]` with an optional gain.
  fileprivate func channelSend() -> GraphFile.Send.ChannelSend {
    var result = GraphFile.Send.ChannelSend(sourceChannel: 0, routeChannel: 0)
    let allowed = "[source channel, route channel] or [source channel, route channel, gain]"
    guard let parts = list(allowed: allowed) else { return result }
    guard (2...3).contains(parts.count) else {
      error("\(parts.count) entries where \(allowed) is needed")
      return result
    }
    let channels = 1...GraphFile.portLimit
    result.sourceChannel = parts[0].integer(in: channels) ?? 0
    result.routeChannel = parts[1].integer(in: channels) ?? 0
    if parts.count == 3 { result.gainDB = parts[2].decibels() ?? 0 }
    return result
  }
}

extension GraphChecks {
  /// Checks that sends are unique and use channels that exist.
  func checkSends() {
    var seen: Set<[String]> = []
    for (index, send) in graph.sends.enumerated() {
      guard !send.source.isEmpty, !send.route.isEmpty else { continue }
      if !seen.insert([send.source, send.route]).inserted {
        log.error(
          at: map.position("mix", .index(index)),
          "mix: '\(send.source)' goes to '\(send.route)' already; write one entry, with 'channels' for "
            + "several pairs",
        )
      }
      let sourceChannels = sources[send.source]?.channels
      let routeChannels = routes[send.route].flatMap { $0.ports.isEmpty ? nil : $0.channels }
      if send.pan != 0, let routeChannels, routeChannels != 2 {
        log.error(
          at: map.position("mix", .index(index), "pan"),
          "pan: route '\(send.route)' has \(routeChannels) channels; pan needs 2",
        )
      }
      checkCells(of: send, index, sourceChannels, routeChannels)
    }
  }

  private func checkCells(
    of send: GraphFile.Send,
    _ index: Int,
    _ sourceChannels: Int?,
    _ routeChannels: Int?,
  ) {
    var seen: Set<[Int]> = []
    for (cellIndex, cell) in (send.channels ?? []).enumerated() {
      func position(_ part: Int) -> SourcePosition {
        map.position("mix", .index(index), "channels", .index(cellIndex), .index(part))
      }
      if let sourceChannels, cell.sourceChannel > sourceChannels {
        log.error(
          at: position(0),
          "channels: source '\(send.source)' has no channel \(cell.sourceChannel); "
            + "channels: 1 … \(sourceChannels)",
        )
      }
      if let routeChannels, cell.routeChannel > routeChannels {
        log.error(
          at: position(1),
          "channels: route '\(send.route)' has no channel \(cell.routeChannel); "
            + "channels: 1 … \(routeChannels)",
        )
      }
      let pair = [cell.sourceChannel, cell.routeChannel]
      if !pair.contains(0), !seen.insert(pair).inserted {
        log.error(
          at: map.position("mix", .index(index), "channels", .index(cellIndex)),
          "channels: \(pair) is in this list already",
        )
      }
    }
  }

  /// Checks that sines stay below half the preferred sample rate.
  func checkTones() {
    guard let rate = graph.session.preferred.sampleRateHz else { return }
    for source in graph.sources {
      guard case .tone(let tone) = source.kind, tone.wave == .sine else { continue }
      if tone.frequencyHz > Double(rate) / 2 {
        log.error(
          at: map.position("sources", .key(source.name), "tone", "frequency"),
          "frequency: \(tone.frequencyHz.graphText) Hz is above half the sample rate; "
            + "at \(rate) Hz at most \((Double(rate) / 2).graphText) Hz",
        )
      }
    }
  }
}
