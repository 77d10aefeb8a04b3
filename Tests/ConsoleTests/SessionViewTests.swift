// SPDX-License-Identifier: MIT

import Console
import ControlProtocol
import Sessions
import Testing

/// A session in full, as text.
struct SessionViewTests {
  private static func detail(waiting: [String]?) -> SessionDetail {
    let microphone = PortDetail(
      uid: "mic",
      name: "Desk",
      type: .builtInMic,
      channels: ["1"],
      jackPorts: [],
      dataSources: [
        DataSourceDetail(
          id: 2,
          name: "Front",
          location: nil,
          orientation: nil,
          polarPatterns: ["cardioid"],
          selectedPolarPattern: "cardioid",
        )
      ],
      selectedDataSource: 2,
      hasHardwareVoiceCallProcessing: false,
    )
    return SessionDetail(
      category: .playAndRecord,
      mode: .voiceChat,
      options: [.duckOthers],
      policy: .default,
      active: true,
      interrupted: false,
      nowPlaying: false,
      inputAvailable: true,
      permission: .granted,
      inputMuted: true,
      outputMuted: false,
      otherAudioPlaying: true,
      secondaryAudioShouldBeSilenced: true,
      preferredInput: "mic",
      route: RouteDetail(inputs: [microphone], outputs: []),
      availableInputs: [microphone],
      hardware: SessionHardware(
        server: nil,
        sampleRateHz: 48_000,
        ioBufferFrames: 256,
        inputLatencySeconds: 0,
        outputLatencySeconds: 0,
        inputGain: nil,
        outputVolume: 1,
        sampleRateReason: nil,
        ioBufferReason: nil,
      ),
      strip: "call",
      volume: 1,
      outputOverride: .speaker,
      waitingRequests: waiting,
    )
  }

  @Test func `everything of a session is in the text`() {
    let lines = SessionView.lines("call", Self.detail(waiting: ["activate", "setMode"]))
    func value(_ name: String) -> String? {
      lines.first { $0.hasPrefix(name) }.map {
        String($0.dropFirst(name.count).drop { $0 == " " })
      }
    }
    #expect(value("other audio playing") == "yes")
    #expect(value("hint: silence secondary audio") == "yes")
    #expect(value("override of the output") == "speaker")
    #expect(value("preferred input") == "mic")
    #expect(value("waiting requests") == "activate, setMode")
    #expect(value("input muted") == "yes")
    #expect(
      value("available input")?.contains("data sources: 2 Front, cardioid (selected)") == true
    )
  }

  @Test func `an earlier host does not say which requests wait`() {
    let lines = SessionView.lines("call", Self.detail(waiting: nil))
    #expect(lines.contains { $0.hasPrefix("waiting requests") && $0.hasSuffix("unknown") })
  }
}
