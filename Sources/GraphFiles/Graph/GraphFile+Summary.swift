// SPDX-License-Identifier: MIT

internal import Sessions

extension GraphFile {
  /// A summary of the graph, one line each: a head line, then session, routes, sources and controls.
  public var summary: [String] {
    let head =
      "\(name): \(count(routes.count, "route")), \(count(sources.count, "source")), "
      + count(sends.count, "send")
    let policies = policyPaths.map { "policy \($0)" }
    return [head, session.summary] + policies + routes.map(\.summary) + sources.map(summary)
      + [crossfader?.summary, cue?.summary].compactMap { $0 }
  }

  /// A source and the routes it goes to.
  private func summary(of source: Source) -> String {
    let targets = sends.filter { $0.source == source.name }.map(\.route)
    return "source \(source.name): \(source.kind.summary)"
      + (source.channels.map { ", \(count($0, "channel"))" } ?? "")
      + source.inserts.summary(wet: source.wet)
      + (source.meterTap == .post ? "" : ", meter \(source.meterTap.rawValue)")
      + " → \(targets.isEmpty ? "nowhere" : targets.joined(separator: ", "))"
  }
}

/// `1 route`, `2 routes`.
private func count(_ number: Int, _ noun: String) -> String {
  "\(number) \(noun)\(number == 1 ? "" : "s")"
}

extension GraphFile.Session {
  fileprivate var summary: String {
    let preferences = [
      preferred.ioBuffer.map { buffer in
        switch buffer {
        case .duration(let duration): "I/O buffer \(duration.graphText)"
        case .frames(let frames): "I/O buffer \(frames) frames"
        }
      },
      preferred.sampleRateHz.map { "sample rate \($0) Hz" },
      preferred.inputChannels.map { "\($0) in" },
      preferred.outputChannels.map { "\($0) out" },
    ].compactMap { $0 }
    let manner = [category.name, "mode \(mode.name)"] + options.map(\.name)
    return "session: \((manner + preferences).joined(separator: ", "))"
  }
}

extension GraphFile.Route {
  fileprivate var summary: String {
    let place = helper?.summary ?? ports.map(\.description).joined(separator: ", ")
    return "route \(name): \(type.name), \(direction.rawValue), \(count(channels, "channel")) "
      + "(\(place))" + inserts.summary(wet: wet)
      + (alignment.map { ", align \($0.summary)" } ?? "")
      + (fallback.map { ", else on \($0)" } ?? "")
  }
}

extension GraphFile.Route.Helper {
  fileprivate var summary: String {
    switch self {
    case .device(let device): "device \(device.name)"
    case .njbridge(let bridge): "njbridge \(bridge.address), UDP \(bridge.port)"
    case .jacktrip(let trip): "jacktrip \(trip.address ?? "waits for a call"), UDP \(trip.port)"
    }
  }
}

extension GraphFile.Route.Alignment {
  fileprivate var summary: String {
    switch self {
    case .free: "free"
    case .automatic: "auto"
    case .delay(let delay): delay.graphText
    }
  }
}

extension [GraphFile.NodeUse] {
  /// The inserts in the order of the signal, with a leading comma; empty without inserts.
  fileprivate func summary(wet: Double) -> String {
    guard !isEmpty else { return "" }
    let names = map { $0.isBypassed ? "\($0.name) (bypassed)" : $0.name }
    return ", through \(names.joined(separator: ", "))" + (wet == 1 ? "" : ", wet \(wet.graphText)")
  }
}

extension GraphFile.Source.Kind {
  fileprivate var summary: String {
    switch self {
    case .file(let file): "file \(file.path)\(file.isLooping ? ", looping" : "")"
    case .tone(let tone) where tone.wave == .pinkNoise: "pinkNoise"
    case .tone(let tone): "\(tone.wave.rawValue) \(tone.frequencyHz.graphText) Hz"
    case .inputRoute(let route): "input route \(route)"
    case .systemInput: "system input"
    case .node(let use): "node \(use.name)"
    case .ports(let ports): "ports \(ports.map(\.description).joined(separator: ", "))"
    }
  }
}

extension GraphFile.Crossfader {
  fileprivate var summary: String {
    "crossfader: \(a.joined(separator: ", ")) ↔ \(b.joined(separator: ", ")), \(curve.rawValue)"
  }
}

extension GraphFile.Cue {
  fileprivate var summary: String {
    "cue on \(route): \(sources.isEmpty ? "nothing" : sources.joined(separator: ", "))"
  }
}
