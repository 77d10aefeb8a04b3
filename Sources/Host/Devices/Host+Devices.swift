// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles
internal import JACK
internal import Sessions

extension Host {
  /// What kind of device a route is: the graph's word, or what its device says of itself (RTE-6).
  func portType(of route: GraphFile.Route) -> PortType {
    guard route.isTypeGuessed else { return route.type }
    let isOutput = route.direction == .output
    let name: String
    switch route.helper {
    case .device(let device):
      let found = deviceWatch.devices.first { $0.isMeant(by: device.name) }
      name =
        found?.portType(isOutput: isOutput)
        ?? PortTypeGuess.type(of: [device.name], isOutput: isOutput, isHardware: true)
    case .njbridge, .jacktrip:
      name = "virtual"
    case nil:
      let found = isOutput ? keeper.foundPorts(of: route.name) : inputPorts(of: route)
      let ports = found.compactMap { keeper.ports.info(of: $0) }
      name = PortTypeGuess.type(
        of: ports.flatMap { [$0.name] + $0.aliases },
        isOutput: isOutput,
        isHardware: ports.contains(where: \.isPhysical) || ports.isEmpty,
      )
    }
    return PortType(name: name) ?? .virtual
  }

  /// Tells which sound cards have come and gone, once a second.
  func watchDevices() {
    for change in deviceWatch.look(nowNanoseconds: HostClock.nowNanoseconds()) {
      let device = change.device
      publish(
        .device,
        "\(device.cardName), \(device.name) (\(device.alsaName)) "
          + (change.isThere ? "is there" : "is gone"),
        details: [
          "device": .string(device.alsaName), "name": .string(device.name),
          "type": .string(device.portType(isOutput: device.canPlay)),
          "present": .bool(change.isThere),
        ],
      )
    }
  }
}
