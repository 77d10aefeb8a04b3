// SPDX-License-Identifier: MIT

internal import Mixing
internal import Patchbay

/// Why nothing is heard of a strip although its session lets it sound, and the step that changes it.
///
/// Pure value: [any-thread].
struct MixSilence: Sendable, Equatable {
  /// The cause as a part of a sentence, such as `its strip 'deck' is muted`.
  let phrase: String
  /// The command or step that ends it, in a sentence.
  let remedy: String
  /// Where the cause is.
  let place: Place

  /// Where the cause is: in the mix, a route without its ports, or a connection that somebody has cut by hand.
  enum Place { case mix, route, connection }

  init(_ phrase: String, _ remedy: String, at place: Place = .mix) {
    self.phrase = phrase
    self.remedy = remedy
    self.place = place
  }

  /// The cause as a sentence without the session's name, for displays.
  var sentence: String { phrase.prefix(1).uppercased() + phrase.dropFirst() + "." }
}

/// The judge of what is heard of the mix and its routes at one moment, in words.
///
/// Pure value: [any-thread].
struct HeardMix: Sendable {
  private let hearing: MixHearing
  private let places: RoutePlaces

  /// Judges a mix with the places at which its routes are heard.
  init(_ spec: MixSpec, places: RoutePlaces = RoutePlaces()) {
    hearing = MixHearing(spec, outlets: places.outlets)
    self.places = places
  }

  /// Why nothing is heard of strips: the cause at the first of them; nil where any of them gets through, and where the rules of
  /// their session are the cause, which the tower knows.
  func silence(ofStrips ids: [String]) -> MixSilence? {
    let silences = ids.map { id in
      hearing.silence(ofStrip: id).flatMap { silence(of: id, because: $0) }
    }
    return silences.contains { $0 == nil } ? nil : silences.first ?? nil
  }

  private func silence(of strip: String, because cause: StripSilence) -> MixSilence? {
    switch cause {
    case .gate, .duck: nil
    case .noStrip:
      MixSilence("the mix has no strip '\(strip)'", "Start its program again.")
    case .noSend:
      MixSilence(
        "its strip '\(strip)' goes to no route",
        "Give it a send: multiroute set send \(strip) ROUTE 0dB.",
      )
    case .cueGain(let route):
      MixSilence(
        "its strip '\(strip)' is on the cue alone, whose gain on '\(route)' is at the bottom",
        "Give it a send: multiroute set send \(strip) ROUTE 0dB.",
      )
    case .mute:
      MixSilence(
        "its strip '\(strip)' is muted",
        "Unmute it: multiroute set mute \(strip) off.",
      )
    case .sendMute(let route):
      MixSilence(
        "the send of its strip '\(strip)' to '\(route)' is muted",
        "Unmute it: multiroute set mute \(strip) \(route) off.",
      )
    case .sendGain(let route):
      MixSilence(
        "the send of its strip '\(strip)' to '\(route)' is at the bottom",
        "Raise it: multiroute set gain \(strip) \(route) 0dB.",
      )
    case .channels(let route):
      MixSilence(
        "no channel of its strip '\(strip)' goes to any of '\(route)'",
        "Let one through: multiroute set send \(strip) \(route) 0dB --strip-channel 1 --route-channel 1.",
      )
    case .fader:
      MixSilence(
        "the fader of its strip '\(strip)' is at the bottom",
        "Raise it: multiroute set gain \(strip) 0dB.",
      )
    case .crossfader:
      MixSilence(
        "the crossfader stands on the other side of its strip '\(strip)'",
        "Move it to the middle: multiroute set crossfader 0.",
      )
    case .solo(let other):
      MixSilence(
        "strip '\(other)' is soloed",
        "End the solo: multiroute set solo \(other) off.",
      )
    case .routeMute(let route):
      MixSilence(
        "route '\(route)' is muted",
        "Unmute it: multiroute set mute \(route) off.",
      )
    case .routeGain(let route):
      MixSilence(
        "route '\(route)' is at the bottom",
        "Raise it: multiroute set gain \(route) 0dB.",
      )
    case .away(let route): away(route)
    case .cut(let route, let channels): cut(places.ports(ofRoute: route, channels))
    case .faint(let route):
      MixSilence(
        "the levels of its strip '\(strip)' on the way to '\(route)' are together below "
          + "\(Int(MixHearing.floorDB)) dB",
        "Raise its fader, its send or the route: multiroute set gain \(strip) 0dB.",
      )
    }
  }

  private func away(_ route: String) -> MixSilence {
    places.unplugged.contains(route)
      ? MixSilence(
        "route '\(route)' is unplugged, as it is simulated",
        "Plug it in: multiroute simulate plug \(route).",
        at: .route,
      )
      : MixSilence(
        "route '\(route)' waits for its ports",
        "Plug in the device of '\(route)', or start the program that makes its ports.",
        at: .route,
      )
  }

  private func cut(_ ports: [String]) -> MixSilence {
    let list = ports.sorted(by: NaturalOrder.areInIncreasingOrder).joined(separator: ", ")
    return MixSilence(
      "somebody has disconnected \(list) by hand",
      "Connect \(list) to the hardware again.",
      at: .connection,
    )
  }
}
