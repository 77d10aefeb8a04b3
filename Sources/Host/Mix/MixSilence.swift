// SPDX-License-Identifier: MIT

internal import Mixing

/// Why nothing is heard of a strip in the mix, and what would change it.
///
/// Pure value: [any-thread].
struct MixSilence: Sendable, Equatable {
  /// The cause as a part of a sentence, such as `its strip 'deck' is muted`.
  let phrase: String
  /// The command or step that ends it, in a sentence.
  let remedy: String
}

extension MixSpec {
  /// Why nothing is heard of strips: the cause at the first of them; nil where the mix lets any of them through. [any-thread]
  func silence(ofStrips ids: [String]) -> MixSilence? {
    let causes = ids.compactMap { id in strips.first { $0.id == id } }.map { silence(of: $0) }
    return causes.contains { $0 == nil } ? nil : causes.first ?? nil
  }

  private func silence(of strip: StripSpec) -> MixSilence? {
    let name = strip.id
    if isHeardAsCue(strip) { return nil }
    if strip.isMuted {
      return MixSilence(
        phrase: "its strip '\(name)' is muted",
        remedy: "Unmute it: multiroute set mute \(name) off.",
      )
    }
    let own = sends.filter { $0.strip == name }
    if own.isEmpty {
      return MixSilence(phrase: "its strip '\(name)' goes to no route", remedy: "Give it a send.")
    }
    let open = own.filter { !$0.isMuted && $0.gainDB > -.infinity }
    guard !open.isEmpty else {
      return MixSilence(
        phrase: "all sends of its strip '\(name)' are muted or at the bottom",
        remedy: "Raise a send of '\(name)'.",
      )
    }
    let passing = open.filter { $0.isPreFader || strip.faderDB > -.infinity }
    guard !passing.isEmpty else {
      return MixSilence(
        phrase: "the fader of its strip '\(name)' is at the bottom",
        remedy: "Raise it: multiroute set gain \(name) 0dB.",
      )
    }
    let isOnFarSide = crossfader.gainLinear(side: strip.crossfaderSide) == 0
    let reaching = passing.filter { $0.isPreFader || !isOnFarSide }
    guard !reaching.isEmpty else {
      return MixSilence(
        phrase: "the crossfader stands on the other side of its strip '\(name)'",
        remedy: "Move the crossfader.",
      )
    }
    // A solo leaves the cue routes alone.
    let solo = strip.isSoloed ? nil : strips.first(where: \.isSoloed)
    let cueRoutes = Set(routes.filter(\.receivesCue).map(\.id))
    let unsoloed = solo == nil ? reaching : reaching.filter { cueRoutes.contains($0.route) }
    if let solo, unsoloed.isEmpty {
      return MixSilence(
        phrase: "strip '\(solo.id)' is soloed",
        remedy: "End the solo: multiroute set solo \(solo.id) off.",
      )
    }
    let closed = unsoloed.compactMap { closedRoute(behind: $0.route) }
    guard closed.count == unsoloed.count, let route = closed.first else { return nil }
    return MixSilence(
      phrase: "route '\(route)' is muted or at the bottom",
      remedy: "Unmute and raise route '\(route)'.",
    )
  }

  private func isHeardAsCue(_ strip: StripSpec) -> Bool {
    strip.isCued && routes.contains { $0.receivesCue && closedRoute(behind: $0.id) == nil }
  }

  /// The route that lets nothing of a route's sound through: itself, or the one on which it is heard; nil without one.
  private func closedRoute(behind id: String) -> String? {
    let route = routes.first { $0.id == id }
    let way = [route, routes.first { $0.id == route?.fallback }].compactMap(\.self)
    return way.first { $0.isMuted || $0.gainDB == -.infinity }?.id
  }
}
