// SPDX-License-Identifier: MIT

import Sessions
import Testing

@Suite("OPT-2 CAT-4 RTE-6: which ports a session may use")
struct EligibilityTests {
  private static let dualRoute = SessionConfiguration.make(
    .multiRoute,
    mode: .dualRoute,
    options: .allowBluetoothHFP,
  )
  private static let handsFree = SessionConfiguration.make(
    .playAndRecord,
    options: .allowBluetoothHFP
  )

  /// A type, and the configurations whose outputs and inputs take it.
  struct Row: Sendable, CustomTestStringConvertible {
    let type: PortType
    let outputs: [SessionConfiguration]
    let inputs: [SessionConfiguration]
    var testDescription: String { type.name }
  }

  private static let all: [SessionConfiguration] = [
    .music, .ambience, .both, .call, .recording, .routes, dualRoute, handsFree,
  ]
  private static let heard = all.filter { $0 != .recording }
  private static let recorders: [SessionConfiguration] = [
    .both, .call, .recording, .routes, dualRoute, handsFree,
  ]

  static let rows: [Row] = [
    Row(type: .builtInSpeaker, outputs: heard, inputs: []),
    Row(type: .builtInReceiver, outputs: [.both, .call, handsFree], inputs: []),
    Row(type: .builtInMic, outputs: [], inputs: recorders),
    Row(type: .headsetMic, outputs: [], inputs: recorders),
    Row(type: .lineIn, outputs: [], inputs: recorders),
    Row(type: .lineOut, outputs: heard, inputs: []),
    Row(type: .usbAudio, outputs: heard, inputs: recorders),
    Row(
      type: .carAudio,
      outputs: [.music, .ambience, .both, .call, handsFree],
      inputs: [.both, .call, .recording, handsFree]
    ),
    Row(
      type: .continuityMicrophone,
      outputs: [],
      inputs: [.both, .call, .recording, handsFree]
    ),
    Row(
      type: .bluetoothLE,
      outputs: [.music, .ambience, .both, .call, dualRoute, handsFree],
      inputs: [dualRoute]
    ),
    // The mode of calls has the option.
    Row(
      type: .bluetoothHFP,
      outputs: [.call, dualRoute, handsFree],
      inputs: [.call, dualRoute, handsFree]
    ),
    Row(type: .HDMI, outputs: heard.filter { $0 != .call }, inputs: []),
  ]

  @Test("a type of port is for these sessions and no others", arguments: rows)
  func row(row: Row) {
    let port = PortDescription(uid: "x", type: row.type, direction: .output)
    for configuration in Self.all {
      let description = "\(configuration)"
      #expect(
        configuration.allowsOutput(port) == row.outputs.contains(configuration),
        "\(description)"
      )
      #expect(
        configuration.allowsInput(row.type) == row.inputs.contains(configuration),
        "\(description)"
      )
    }
  }

  @Test("each type has its directions, and three are part of the machine")
  func directions() {
    let onlyInputs: Set<PortType> = [.lineIn, .builtInMic, .headsetMic, .continuityMicrophone]
    let onlyOutputs: Set<PortType> = [
      .lineOut, .headphones, .bluetoothA2DP, .builtInReceiver, .builtInSpeaker, .HDMI, .airPlay,
    ]
    for type in PortType.allCases {
      #expect(type.canBeOutput == !onlyInputs.contains(type), "\(type.name)")
      #expect(type.canBeInput == !onlyOutputs.contains(type), "\(type.name)")
      #expect(
        type.isBuiltIn == [.builtInMic, .builtInSpeaker, .builtInReceiver].contains(type),
        "\(type.name)"
      )
    }
  }
}
