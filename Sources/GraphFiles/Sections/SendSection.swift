// SPDX-License-Identifier: MIT

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
    channels = section[.channels]?.list(allowed: "a list of [source channel, route channel]")?
      .map { $0.channelSend() }
    if channels?.isEmpty == true {
      section[.channels]?.error("the list is empty; remove the key or name a pair of channels")
    }
    if channels != nil, let pan = section[.pan] {
      pan.error("'channels' says where each channel goes; give gains there instead")
    }
  }
}

extension Field {
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
