// SPDX-License-Identifier: MIT

internal import JACK

/// The ports of MIDI controllers.
extension Presence {
  /// Registers the ports of a controller: `NAME_midi_in` hears it, `NAME_midi_out` is heard by it.
  ///
  /// - Parameters:
  ///   - controller: The controller.
  ///   - connection: The main client.
  /// - Returns: The line to it.
  /// - Throws: JACK's error; none of the two ports stays then.
  static func line(
    to controller: ControllerDevice,
    on connection: ClientConnection,
  ) throws(JACKError) -> ControllerLine {
    let name = PortNames.controllerOutput(controller.name)
    let input: MIDIInputPort = try connection.register(PortNames.controllerInput(controller.name))
    do throws(JACKError) {
      let output: MIDIOutputPort = try connection.register(name)
      do throws(JACKError) {
        return ControllerLine(
          name: controller.name,
          client: connection.name,
          ports: ControllerPorts(
            input: input,
            output: output,
            outputConnections: try connection.watchedPort(named: "\(connection.name):\(name)"),
          ),
          bytesPerSecond: controller.bytesPerSecond,
          sampleRateHz: Double(try connection.sampleRateHz),
        )
      } catch {
        connection.leave(output)
        throw error
      }
    } catch {
      connection.leave(input)
      throw error
    }
  }

  /// Unregisters the ports of a line that the audio thread does not use.
  func close(_ line: ControllerLine) {
    mix.leave(line.ports.input)
    mix.leave(line.ports.output)
  }

  /// All MIDI ports.
  func midiPorts() throws(JACKError) -> [PortInfo] { try mix.ports(kind: MIDIKind.self) }
}

extension ClientConnection {
  /// Unregisters a port that is not needed any more; a failure is a line of the log. [control-thread]
  func leave<Kind, Direction>(_ port: ClientPort<Kind, Direction>) {
    do throws(JACKError) {
      try unregister(port)
    } catch {
      JACKLogging.note(error)
    }
  }
}
