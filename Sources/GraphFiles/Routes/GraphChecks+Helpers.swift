// SPDX-License-Identifier: MIT

extension GraphChecks {
  /// Checks that the client names of helper programs are short enough for JACK.
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

  /// Checks that each sound card and each UDP port is in one route, because only one program can open it.
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
  /// A resource that only one helper program can use.
  fileprivate struct ExclusiveUse {
    /// The key that names it.
    let key: String
    /// The identity of the resource, equal for equal resources.
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
  /// The card and device in the name; nil for a device that several programs may share.
  fileprivate var card: String? {
    guard let prefix = ["plughw:", "hw:"].first(where: { name.hasPrefix($0) }) else { return nil }
    var parts = name.dropFirst(prefix.count).split(separator: ",").map(String.init)
    // `CARD=x,DEV=0` is the long form, and device 0 is the default.
    parts = parts.map { $0.replacing("CARD=", with: "").replacing("DEV=", with: "") }
    while parts.count > 1, parts.last == "0" { parts.removeLast() }
    return parts.joined(separator: ",")
  }
}

extension GraphChecks {
  /// Checks that fallbacks are other output routes, and that no chain of them is a loop.
  func checkFallbacks() {
    for route in graph.routes {
      guard let fallback = route.fallback, !fallback.isEmpty else { continue }
      let position = map.position("routes", .key(route.name), "fallback")
      guard checkRoute(fallback, .output, at: position, "fallback") else { continue }
      var seen: Set<String> = [route.name]
      var next: String? = fallback
      while let name = next, seen.insert(name).inserted { next = routes[name]?.fallback }
      if next == route.name {
        log.error(at: position, "fallback: '\(fallback)' leads back to '\(route.name)'")
      }
    }
  }
}
