// SPDX-License-Identifier: MIT

internal import Mixing

/// The ports of the host's routes at which a strip is heard.
///
/// Pure value: [any-thread].
struct StripReach: Sendable {
  /// The full names of the host's ports with a share of the strip.
  var ports: [String] = []
  /// Whether nobody is connected there, nor wanted by a rule: somebody has cut them off by hand.
  var isCutOff = true
}

extension Attachment {
  /// The ports of the host's routes at which a strip is heard, by its sends that are not muted; those of another route where
  /// one is heard there. [control-thread]
  func reach(ofStrip id: String) -> StripReach {
    let spec = spec
    guard let strip = spec.strips.first(where: { $0.id == id }) else { return StripReach() }
    var reach = StripReach()
    for send in spec.sends where send.strip == id && !send.isMuted {
      var places = connections.places(of: send.route)
      var matrix =
        send.matrix
        ?? SendSpec.defaultMatrix(stripChannels: strip.channels, routeChannels: places.count)
      if let fallback = spec.routes.first(where: { $0.id == send.route })?.fallback {
        places = connections.places(of: fallback)
        matrix = SendSpec.matrix(matrix, heardOn: places.count)
      }
      for (gains, place) in zip(matrix, places) where gains.contains(where: { $0 != 0 }) {
        reach.ports.append(place.ownPort)
        if !place.others.isEmpty { reach.isCutOff = false }
      }
    }
    return reach
  }
}
