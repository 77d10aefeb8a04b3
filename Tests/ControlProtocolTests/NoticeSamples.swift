// SPDX-License-Identifier: MIT

import ControlProtocol
import Sessions

extension EventSample {
  /// Every notification of a session.
  static let notices: [EventSample] = [
    notice(
      .interruptionBegan(reason: .builtInMicMuted, wasSuspended: false),
      #""reason":"builtInMicMuted""#,
      after: #","wasSuspended":false"#,
      needs: "reason",
    ),
    notice(
      .interruptionEnded(
        shouldResume: true,
        heldCommands: [.pause, .seek(seconds: 1.5), .rate(factor: 2)],
      ),
      #""heldCommands":[{"command":"pause"},{"command":"seek","seconds":1.5},"#
        + #"{"command":"rate","rate":2}],"leavePaused":true"#,
      after: #","shouldResume":true"#,
      needs: "shouldResume",
    ),
    EventSample(
      .session(
        .init(
          session: "s",
          app: "Mixxx",
          .routeChanged(
            reason: .oldDeviceUnavailable,
            previous: RouteDetail(inputs: [], outputs: [phones]),
            current: RouteDetail(inputs: [], outputs: []),
          ),
        )
      ),
      #"{"app":"Mixxx","current":[],"currentRoute":{"inputs":[],"outputs":[]},"#
        + #""notification":"routeChanged","previous":["phones"],"previousRoute":{"inputs":[],"#
        + #""outputs":[{"channels":["left","right"],"dataSources":[],"#
        + #""hasHardwareVoiceCallProcessing":false,"jackPorts":[],"name":"Headphones","#
        + #""selectedDataSource":null,"type":"Headphones","uid":"phones"}]},"#
        + #""reason":2,"session":"s"}"#,
      needs: "previousRoute",
    ),
    notice(.availableInputsChanged),
    notice(.mediaServicesWereLost),
    notice(.mediaServicesWereReset),
    EventSample(
      .session(.init(session: "s", app: "Mixxx", .silenceSecondaryAudioHint(begins: true))),
      #"{"app":"Mixxx","begins":true,"notification":"silenceSecondaryAudioHint","session":"s"}"#,
      needs: "begins",
    ),
    notice(.didBecomeActive),
    notice(.didBecomeInactive(interruption: nil), #""interruption":null"#),
    notice(.didBecomeInactive(interruption: .default), #""interruption":"default""#),
    notice(
      .resumptionRecommendation(shouldResume: false),
      after: #","shouldResume":false"#,
      needs: "shouldResume",
    ),
    EventSample(
      .session(
        .init(session: "s", app: "Mixxx", .recordPermissionChanged(permission: .denied))
      ),
      #"{"app":"Mixxx","notification":"recordPermissionChanged","permission":"denied","session":"s"}"#,
      needs: "permission",
    ),
    notice(.inputMuteChanged(isMuted: true), #""muted":true"#, needs: "muted"),
    notice(.outputMuteChanged(isMuted: false), #""muted":false"#, needs: "muted"),
    EventSample(
      .session(.init(session: "s", app: "Mixxx", .remoteCommand(.skipForward(seconds: 15)))),
      #"{"app":"Mixxx","command":"skipForward","notification":"remoteCommand","seconds":15,"session":"s"}"#,
      needs: "command",
    ),
    EventSample(
      .session(.init(session: "s", app: "Mixxx", .requestAnswered(request: 9, error: nil))),
      #"{"app":"Mixxx","notification":"requestAnswered","request":9,"session":"s"}"#,
      needs: "request",
    ),
    notice(.unknown(name: "somethingNewer")),
  ]

  private static let phones = PortDetail(
    uid: "phones",
    name: "Headphones",
    type: .headphones,
    channels: ["left", "right"],
    jackPorts: [],
    dataSources: [],
    selectedDataSource: nil,
    hasHardwareVoiceCallProcessing: false,
  )

  /// A notice whose facts sort before `notification`, or after `session`.
  private static func notice(
    _ content: EventPayload.SessionNotice.Content,
    _ facts: String? = nil,
    after: String = "",
    needs: String = "notification",
  ) -> EventSample {
    let before = facts.map { isBefore($0) ? $0 + "," : "" } ?? ""
    let between = facts.map { isBefore($0) ? "" : "," + $0 } ?? ""
    return EventSample(
      .session(.init(session: "s", app: "Mixxx", content)),
      #"{"app":"Mixxx",\#(before)"notification":"\#(content.name)"\#(between),"session":"s"\#(after)}"#,
      needs: needs,
    )
  }

  private static func isBefore(_ facts: String) -> Bool { facts < #""notification""# }
}
