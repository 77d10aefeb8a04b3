// SPDX-License-Identifier: MIT

import ControlProtocol
import Sessions
import Testing

/// One payload of every kind and form, with its details as they travel.
struct EventSample: Sendable, CustomTestStringConvertible {
  var payload: EventPayload
  /// The details on the wire, with sorted keys.
  var json: String
  /// A key without which the details cannot be read; nil where every key may be missing.
  var needs: String?

  var testDescription: String { "\(payload.kindName) \(json)" }

  init(_ payload: EventPayload, _ json: String, needs: String? = nil) {
    self.payload = payload
    self.json = json
    self.needs = needs
  }

  static let all = server + routes + mix + tower + notices + nodes

  static let server: [EventSample] = [
    EventSample(.serverLost(.init(server: "dj")), #"{"server":"dj"}"#, needs: "server"),
    EventSample(
      .serverBack(
        .init(server: "dj", sampleRateHz: 48_000, bufferFrames: 64, attachMilliseconds: 12.5)
      ),
      #"{"attachMilliseconds":12.5,"bufferFrames":64,"sampleRateHz":48000,"server":"dj"}"#,
      needs: "bufferFrames",
    ),
    EventSample(.hardwareChanged(), "{}"),
    EventSample(.hardwareChanged(.init(sampleRateHz: 44_100)), #"{"sampleRateHz":44100}"#),
    EventSample(.hardwareChanged(.init(ioBufferFrames: 128)), #"{"ioBufferFrames":128}"#),
    EventSample(
      .latencyChanged(.init(framesByRoute: ["pa": 64, "phones": 0])),
      #"{"pa":64,"phones":0}"#,
    ),
    EventSample(
      .xrun(.init(delayMicroseconds: 120.5, cause: "a late \"node\"")),
      #"{"cause":"a late \"node\"","delayMicroseconds":120.5}"#,
      needs: "cause",
    ),
    EventSample(.gaveWay(.sampleRate), #"{"value":"sampleRateHz"}"#),
    EventSample(
      .gaveWay(.ioBuffer(frames: 480)),
      #"{"ioBufferFrames":480,"value":"ioBufferFrames"}"#,
    ),
    EventSample(
      .gaveWay(.connection(of: "mpv:out_1", rule: .int1)),
      #"{"port":"mpv:out_1","rule":"INT-1"}"#,
    ),
    EventSample(
      .gaveWay(.patch(of: "mpv:out_1", line: 12)),
      #"{"line":12,"port":"mpv:out_1"}"#,
    ),
    EventSample(
      .graphApplied(
        .init(
          version: GraphVersion(number: 2, path: "/g.yaml", digest: nil, sinceSeconds: 5),
          changes: 3,
        )
      ),
      #"{"changes":3,"version":{"digest":null,"number":2,"path":"/g.yaml","sinceSeconds":5}}"#,
      needs: "changes",
    ),
    EventSample(
      .graphRefused(.init(path: "/g.yaml", faults: ["/g.yaml:1:2: error: x"])),
      #"{"faults":["/g.yaml:1:2: error: x"],"path":"/g.yaml"}"#,
      needs: "faults",
    ),
    EventSample(.error(), "{}"),
    EventSample(.error(.init(strip: "a")), #"{"strip":"a"}"#),
    EventSample(.error(.init(route: "pa")), #"{"route":"pa"}"#),
    EventSample(.error(.init(recorder: "set")), #"{"recorder":"set"}"#),
    EventSample(.stopping, "{}"),
  ]

  static let routes: [EventSample] = [
    EventSample(.routeAvailable(.init(route: "pa")), #"{"route":"pa"}"#, needs: "route"),
    EventSample(.routeUnavailable(.init(route: "pa")), #"{"route":"pa"}"#, needs: "route"),
    EventSample(
      .alignment(.init(route: "pa", delayFrames: 480, errorFrames: -3)),
      #"{"delayFrames":480,"errorFrames":-3,"route":"pa"}"#,
      needs: "delayFrames",
    ),
    EventSample(
      .alignment(.init(route: "pa", delayFrames: 0, errorFrames: nil)),
      #"{"delayFrames":0,"errorFrames":null,"route":"pa"}"#,
    ),
    EventSample(
      .helper(.started("pa", pid: 4711)),
      #"{"pid":4711,"route":"pa","state":"started"}"#,
      needs: "state",
    ),
    EventSample(
      .helper(.ended("pa", reason: "signal 9")),
      #"{"reason":"signal 9","route":"pa","state":"ended"}"#,
    ),
    EventSample(
      .helper(.event("pa", event: "deviceLost")),
      #"{"event":"deviceLost","route":"pa","state":"event"}"#,
    ),
    EventSample(
      .device(.init(device: "hw:USB", name: "Scarlett", type: .usbAudio, present: true)),
      #"{"device":"hw:USB","name":"Scarlett","present":true,"type":"usbAudio"}"#,
      needs: "type",
    ),
  ]

  static let mix: [EventSample] = [
    EventSample(.sourceConnected(.init(strip: "a")), #"{"strip":"a"}"#, needs: "strip"),
    EventSample(.sourceDisconnected(.init(strip: "a")), #"{"strip":"a"}"#, needs: "strip"),
    EventSample(.fileEnded(.init(strip: "a")), #"{"strip":"a"}"#, needs: "strip"),
    EventSample(
      .inputFault(.init(of: .strip("a"), silencedSamples: 12, clampedSamples: 3)),
      #"{"clampedSamples":3,"silencedSamples":12,"strip":"a"}"#,
      needs: "silencedSamples",
    ),
    EventSample(
      .inputFault(.init(of: .route("pa"), silencedSamples: 0, clampedSamples: 3)),
      #"{"clampedSamples":3,"route":"pa","silencedSamples":0}"#,
    ),
    EventSample(
      .inputFault(.init(ofCapture: "system:capture_1", silencedSamples: 7, clampedSamples: 0)),
      #"{"capture":"system:capture_1","clampedSamples":0,"silencedSamples":7}"#,
    ),
    EventSample(
      .fadeFinished(
        .init(fade: 7, of: .send(strip: "a", route: "pa"), gainDB: -.infinity)
      ),
      #"{"fade":7,"gainDB":"-inf","route":"pa","strip":"a"}"#,
      needs: "fade",
    ),
    EventSample(
      .fadeFinished(.init(fade: 7, of: .strip("a"), gainDB: nil)),
      #"{"fade":7,"strip":"a"}"#
    ),
    EventSample(
      .mixChanged(SetGain.Params(target: .strip("a"), gainDB: -.infinity).change),
      #"{"gainDB":"-inf","strip":"a"}"#,
    ),
    EventSample(
      .mixChanged(SetMute.Params(target: .route("pa"), muted: true).change),
      #"{"muted":true,"route":"pa"}"#,
    ),
    EventSample(
      .mixChanged(.disconnected("a:out", from: "dj:in")),
      #"{"destination":"dj:in","source":"a:out"}"#,
    ),
    EventSample(.mixChanged(.triedAgain(node: "delay")), #"{"node":"delay"}"#),
    EventSample(
      .recording(.init(recorder: "set", state: .finished, file: "/tmp/a.wav", frames: 48_000)),
      #"{"file":"/tmp/a.wav","frames":48000,"recorder":"set","state":"finished"}"#,
      needs: "state",
    ),
    EventSample(
      .recording(.init(recorder: "set", state: .failed, file: "/a", fault: "diskFull")),
      #"{"fault":"diskFull","file":"/a","recorder":"set","state":"failed"}"#,
    ),
    EventSample(
      .recording(.init(recorder: "set", state: .lost, frames: 64)),
      #"{"frames":64,"recorder":"set","state":"lost"}"#,
    ),
  ]

  static let tower: [EventSample] = [
    EventSample(
      .call(.init(state: .ringing)),
      #"{"state":"ringing"}"#,
      needs: "state",
    ),
    EventSample(
      .gateClosed(.init(session: "s", strip: "a")),
      #"{"session":"s","strip":"a"}"#,
      needs: "session",
    ),
    EventSample(
      .decision(.init(rule: .act3, sessions: ["s", "t"], app: "Mixxx")),
      #"{"app":"Mixxx","rule":"ACT-3","sessions":["s","t"]}"#,
      needs: "rule",
    ),
    EventSample(
      .decision(.init(rule: .rst1, sessions: [], app: nil)),
      #"{"app":null,"rule":"RST-1","sessions":[]}"#,
    ),
    EventSample(
      .decision(.init(rule: .rte3, session: "s")),
      #"{"rule":"RTE-3","session":"s"}"#,
    ),
    EventSample(
      .decision(.init(rule: .int1, port: "mpv:out_1", hardware: "system:playback_3")),
      #"{"hardware":"system:playback_3","port":"mpv:out_1","rule":"INT-1"}"#,
    ),
    EventSample(
      .decision(.init(rule: .prm1, app: "memo", port: "memo:in", capture: "system:capture_1")),
      #"{"app":"memo","capture":"system:capture_1","port":"memo:in","rule":"PRM-1"}"#,
    ),
    EventSample(
      .permission(.question("memo", executable: "/usr/bin/memo", client: nil)),
      #"{"app":"memo","asks":true,"client":null,"executable":"/usr/bin/memo","permission":"undetermined"}"#,
      needs: "permission",
    ),
    EventSample(
      .permission(.answer("memo", .granted)),
      #"{"app":"memo","asks":false,"permission":"granted"}"#,
      needs: "asks",
    ),
    EventSample(
      .alarm(
        AlarmStatus(
          rule: .prm1,
          app: "memo",
          executable: nil,
          client: "memo",
          capture: "system:capture_1",
          port: "memo:in",
          attempts: 12,
        )
      ),
      #"{"app":"memo","attempts":12,"capture":"system:capture_1","client":"memo","executable":null,"#
        + #""over":false,"port":"memo:in","rule":"PRM-1"}"#,
      needs: "attempts",
    ),
  ]

  static let nodes: [EventSample] = [
    EventSample(.nodeConnected(.init(node: "delay")), #"{"node":"delay"}"#, needs: "node"),
    EventSample(.nodeGone(.init(node: "delay")), #"{"node":"delay"}"#, needs: "node"),
    EventSample(
      .nodeStarted(.init(node: "delay", pid: 4711)),
      #"{"node":"delay","pid":4711}"#,
      needs: "pid",
    ),
    EventSample(
      .nodeLate(.init(of: .strip("a"), misses: 2, missedCycles: 75)),
      #"{"missedCycles":75,"misses":2,"strip":"a"}"#,
      needs: "misses",
    ),
    EventSample(
      .nodeFault(.init(node: "delay", reason: "too slow", retrySeconds: 5)),
      #"{"node":"delay","reason":"too slow","retrySeconds":5}"#,
    ),
    EventSample(.nodeFault(.init(takenApart: .route("pa"))), #"{"route":"pa"}"#),
    EventSample(
      .remoteControl(.init(node: "keys", event: "rewind")),
      #"{"event":"rewind","node":"keys"}"#,
      needs: "event",
    ),
  ]
}
