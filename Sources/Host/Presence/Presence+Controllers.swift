// SPDX-License-Identifier: MIT

internal import JACK

extension Presence {
  /// Registers the ports of controllers: `NAME_midi_in` hears a controller, `NAME_midi_out` is heard by it.
  ///
  /// - Parameters:
  ///   - controllers: The controllers of the graph.
  ///   - connection: The main client, before its activation.
  /// - Returns: The lines to the controllers.
  /// - Throws: JACK's error; the ports go with the client.
  static func lines(
    to controllers: [ControllerDevice],
    on connection: ClientConnection,
  ) throws(JACKError) -> ControllerLines {
    var lines: [ControllerLine] = []
    for controller in controllers {
      let output = PortNames.controllerOutput(controller.name)
      let ports = ControllerPorts(
        input: try connection.register(PortNames.controllerInput(controller.name)),
        output: try connection.register(output),
        outputConnections: try connection.watchedPort(named: "\(connection.name):\(output)"),
      )
      lines.append(
        ControllerLine(
          name: controller.name,
          client: connection.name,
          ports: ports,
          bytesPerSecond: controller.bytesPerSecond,
          sampleRateHz: Double(try connection.sampleRateHz),
        )
      )
    }
    return ControllerLines(lines)
  }

  /// All MIDI ports.
  func midiPorts() throws(JACKError) -> [PortInfo] { try mix.ports(kind: MIDIKind.self) }
}
