// SPDX-License-Identifier: MIT

extension GraphRules {
  /// Helpers get names that JACK takes whole.
  func checkHelpers() {
    for route in graph.routes where route.helper != nil {
      let client = graph.helperClient(of: route)
      guard client.utf8.count > GraphFile.clientNameLimit else { continue }
      log.error(
        at: map.keyPosition("routes", .key(route.name)),
        "route '\(route.name)': its helper would be the JACK client '\(client)'; "
          + "allowed: \(GraphFile.clientNameLimit) bytes; shorten the name of graph or route",
      )
    }
  }

  /// What one program alone can have is in one route: a card, a port of the network.
  func checkHelperResources() {
    var owners: [String: String] = [:]
    for route in graph.routes where isSound(route) {
      guard let use = route.exclusiveUse else { continue }
      if let owner = owners[use.resource] {
        log.error(
          at: map.position("routes", .key(route.name), .key(use.key)),
          "\(use.key): \(use.text) is route '\(owner)''s already; \(use.advice)",
        )
      }
      owners[use.resource] = owners[use.resource] ?? route.name
    }
  }
}

extension GraphFile.Route {
  /// What a route's helper needs for itself alone.
  fileprivate struct ExclusiveUse {
    /// The key it is said in.
    let key: String
    /// The same for all who need the same.
    let resource: String
    let text: String
    let advice: String

    static func udp(_ port: Int, key: String) -> ExclusiveUse {
      ExclusiveUse(
        key: key,
        resource: "UDP \(port)",
        text: "UDP port \(port)",
        advice: "each route that receives needs a port of its own",
      )
    }
  }

  fileprivate var exclusiveUse: ExclusiveUse? {
    switch helper {
    case .device(let device):
      guard let card = device.card else { return nil }
      return ExclusiveUse(
        key: "device",
        resource: "\(direction.rawValue) \(card)",
        text: "the \(direction.rawValue) of '\(device.name)'",
        advice: "one program can open it; give one route its channels",
      )
    case .njbridge(let bridge) where direction == .input:
      return .udp(bridge.port, key: "njbridge")
    case .jacktrip(let trip):
      return .udp(trip.port, key: "jacktrip")
    case .njbridge, nil:
      return nil
    }
  }
}

extension GraphFile.Route.Device {
  /// The card and its device that the name surely means; nil for what may be shared.
  fileprivate var card: String? {
    guard let prefix = ["plughw:", "hw:"].first(where: { name.hasPrefix($0) }) else { return nil }
    var parts = name.dropFirst(prefix.count).split(separator: ",").map(String.init)
    // `CARD=x,DEV=0` is the long way to say it, and device 0 is what is meant where none is named.
    parts = parts.map { $0.replacing("CARD=", with: "").replacing("DEV=", with: "") }
    while parts.count > 1, parts.last == "0" { parts.removeLast() }
    return parts.joined(separator: ",")
  }
}
