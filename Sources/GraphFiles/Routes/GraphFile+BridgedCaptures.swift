// SPDX-License-Identifier: MIT

internal import Sessions

extension GraphFile {
  /// The name of the input route that bridges the captures of the host's own server.
  private static let captureRoute = "captures"
  /// The captures of a device whose number of channels the graph does not say.
  private static let usualCaptures = 2
  /// The most channels of a bridge.
  private static let bridgeLimit = 64

  /// Lets a bridge of the host open the captures of a server that the host is about to start (PRM-4).
  ///
  /// Every client may connect itself to a server's own captures, and hears them until the host has cut that. A bridge's
  /// ports give sound to the host's clients only. So the server is started without captures, an input route `captures` with
  /// the device is added, and the graph's `system:capture_…` become that route's ports. A route of exactly these ports becomes the
  /// bridge's own.
  ///
  /// Nothing changes without `permissions`, with `captures: direct`, or where the graph opens or leaves out the captures itself.
  ///
  /// - Parameter device: The ALSA device of the server.
  /// - Returns: The patterns that are too long to find the bridge's ports as well.
  package mutating func bridgeCaptures(ofDevice device: String) -> [PortSelector] {
    guard permissions != nil, server.captures == .bridged, server.captureChannels != 0,
      !server.leavesOutCaptures, !opensInput(of: device)
    else { return [] }
    let channels = min(server.captureChannels ?? usedCaptures, Self.bridgeLimit)
    let bridge = Route.Helper.device(Route.Device(name: device, channels: channels))
    let all = (1...channels).map { PortSelector.name(Self.capture($0)) }
    let index =
      routes.firstIndex { $0.direction == .input && $0.helper == nil && $0.ports == all }
      ?? addCaptureRoute()
    routes[index].helper = bridge
    server.isPlaybackOnly = true
    nameHelpers()
    let client = helperClient(of: routes[index])
    var tooLong: [PortSelector] = []
    changeHardwareInputs { selector in
      if let moved = selector.moved(to: client, channels: channels) { return moved }
      tooLong.append(selector)
      return selector
    }
    return tooLong
  }

  /// The full name of the server's capture port of this number.
  fileprivate static func capture(_ number: Int) -> String { "system:capture_\(number)" }
  /// A port that no driver has: what matches it matches captures only by chance.
  private static let noCapture = "system:capture_0"

  /// How many captures the graph takes: the highest number that it names, and at least a pair.
  private var usedCaptures: Int {
    let inputs = hardwareInputs
    let named = (1...Self.bridgeLimit).last { number in
      inputs.contains { $0.matches(Self.capture(number)) && !$0.matches(Self.noCapture) }
    }
    let ofSystem = sources.filter { $0.kind == .systemInput }.compactMap(\.channels).max()
    return max(named ?? 0, ofSystem ?? 0, Self.usualCaptures)
  }

  private func opensInput(of device: String) -> Bool {
    routes.contains { route in
      guard route.direction == .input, case .device(let own) = route.helper else { return false }
      return own.name == device
    }
  }

  /// The ports from which input routes and sources take hardware.
  private var hardwareInputs: [PortSelector] {
    routes.filter { $0.direction == .input && $0.helper == nil }.flatMap(\.ports)
      + sources.flatMap { source in
        if case .ports(let ports) = source.kind { return ports }
        return []
      }
  }

  private mutating func changeHardwareInputs(_ change: (PortSelector) -> PortSelector) {
    for index in routes.indices where routes[index].direction == .input {
      if routes[index].helper == nil { routes[index].ports = routes[index].ports.map(change) }
    }
    for index in sources.indices {
      guard case .ports(let ports) = sources[index].kind else { continue }
      sources[index].kind = .ports(ports.map(change))
    }
  }

  private mutating func addCaptureRoute() -> Int {
    var name = Self.captureRoute
    while route(named: name) != nil || source(named: name) != nil { name += "-own" }
    var added = Route(name: name, type: .builtInMic, direction: .input, ports: [])
    added.isTypeGuessed = true
    routes.append(added)
    return routes.count - 1
  }
}

extension GraphFile.Server {
  /// Whether the graph's own arguments leave out the captures, or name the device of one direction.
  fileprivate var leavesOutCaptures: Bool {
    arguments.contains { argument in
      ["-P", "-C", "--playback", "--capture"].contains { argument.hasPrefix($0) }
    }
  }
}

extension PortSelector {
  /// The selector with the ports of a bridge in place of the server's captures; nil for a pattern that gets too long.
  fileprivate func moved(to client: String, channels: Int) -> PortSelector? {
    let numbers = (1...channels).filter { matches(GraphFile.capture($0)) }
    guard let first = numbers.first else { return self }
    guard case .pattern(let pattern) = self else { return .name("\(client):capture_\(first)") }
    // The pattern may mean other ports too, and finds no capture of the server any more.
    let ports = numbers.map(String.init).joined(separator: "|")
    let bridge = PortPattern.literal("\(client):capture_") + "(\(ports))"
    return (try? PortPattern("\(pattern.expression)|\(bridge)")).map(PortSelector.pattern)
  }
}
