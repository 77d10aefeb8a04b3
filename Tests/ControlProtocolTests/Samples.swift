// SPDX-License-Identifier: MIT

import ControlProtocol
import FoundationEssentials
import Sessions
import Testing

/// One of everything, with the values that are hard to carry: −inf, nil, ids with odd characters.
enum Samples {
  /// A request that can be written and recognised again.
  struct Request: Sendable, CustomTestStringConvertible {
    var name: String
    var line: @Sendable (MessageID) throws -> String
    var isRecognised: @Sendable (ControlRequest) -> Bool
    var testDescription: String { name }

    init<Method: ControlMethod>(_ method: Method.Type, _ params: Method.Params) {
      name = method.name
      line = {
        String(decoding: try MessageEncoder().request(method, params, id: $0), as: UTF8.self)
      }
      isRecognised = { $0.params(for: method) == params }
    }
  }

  static let requests: [Request] = [
    Request(Hello.self, Hello.Params(client: "tëst", versions: [1, 2])),
    Request(Hello.self, Hello.Params(client: "tool", role: .user)),
    Request(GetStatus.self, NoParams()),
    Request(Subscribe.self, Subscribe.Params(topics: [.meters, .events])),
    Request(Subscribe.self, Subscribe.Params(topics: [.meters], metersIntervalMilliseconds: 20)),
    Request(Unsubscribe.self, Unsubscribe.Params(topics: [.events])),
    Request(SetGain.self, SetGain.Params(target: .strip("a \"b\"\n"), gainDB: -.infinity)),
    Request(SetGain.self, SetGain.Params(target: .route("pa"), gainDB: 24, rampMilliseconds: 0)),
    Request(SetMute.self, SetMute.Params(target: .send(strip: "a", route: "pa"), muted: true)),
    Request(SetSolo.self, SetSolo.Params(strip: "a", solo: false)),
    Request(SetCue.self, SetCue.Params(strip: "a", cue: true, route: "phones")),
    Request(SetPan.self, SetPan.Params(strip: "a", pan: -0.25)),
    Request(
      SetSend.self,
      SetSend.Params(strip: "a", route: "pa", gainDB: -6.5, stripChannel: 1, routeChannel: 2),
    ),
    Request(SetCrossfader.self, SetCrossfader.Params(position: 1, rampMilliseconds: 5)),
    Request(
      StartFade.self,
      StartFade.Params(target: .route("pa"), gainDB: -.infinity, durationMilliseconds: 2000),
    ),
    Request(
      SetInserts.self,
      SetInserts.Params(target: .strip("a"), nodes: ["delay", "eq"], wet: 0.5),
    ),
    Request(
      SetBypass.self,
      SetBypass.Params(target: .route("pa"), node: "delay", bypassed: true),
    ),
    Request(Stop.self, Stop.Params(fadeMilliseconds: 50)),
    Request(OpenSession.self, openSession),
    Request(OpenSession.self, playedFile),
    Request(ConfigureSession.self, ConfigureSession.Params(session: "s")),
    Request(ActivateSession.self, ActivateSession.Params(session: "s")),
    Request(DeactivateSession.self, DeactivateSession.Params(session: "s", notifyOthers: true)),
    Request(CloseSession.self, CloseSession.Params(session: "s")),
    Request(Why.self, Why.Params(app: "Mixxx")),
    Request(GetSession.self, GetSession.Params(session: "s")),
    Request(AdjustSession.self, adjustSession),
    Request(ChooseRoute.self, ChooseRoute.Params(session: "s", route: "phones")),
    Request(
      SetSessionPorts.self,
      SetSessionPorts.Params(session: "s", ports: ["a:*"], channels: 3)
    ),
    Request(SendRemoteCommand.self, SendRemoteCommand.Params(command: .seek(seconds: 1.5))),
    Request(Simulate.self, Simulate.Params(event: .serverLoss)),
    Request(ListPermissions.self, NoParams()),
    Request(SetPermission.self, SetPermission.Params(program: "/usr/bin/mpv", permission: .denied)),
    Request(RequestPermission.self, RequestPermission.Params(session: "s")),
    Request(
      StartRecording.self,
      StartRecording.Params(recorder: "set", from: "pa", file: "/tmp/set.wav", samples: .pcm24),
    ),
    Request(
      SetAlignment.self,
      SetAlignment.Params(route: "pa", mode: .manual, delayMilliseconds: 12.5),
    ),
    Request(StopRecording.self, StopRecording.Params(recorder: "set")),
    Request(ListParameters.self, ListParameters.Params(path: "/strip/a%20b")),
    Request(GetParameters.self, GetParameters.Params(paths: ["/strip/a/gain"])),
    Request(
      SetParameters.self,
      SetParameters.Params(
        values: [
          ParameterSetting(path: "/strip/a/pan", value: .number(-0.25)),
          ParameterSetting(path: "/strip/a/mute", value: .flag(true)),
          ParameterSetting(path: "/route/pa/alignment", value: .text("auto")),
        ],
        rampMilliseconds: 20,
      ),
    ),
    Request(SaveScene.self, SceneParams(scene: "intro")),
    Request(RecallScene.self, RecallScene.Params(scene: "Ende \u{1F3B5}", fadeMilliseconds: 3000)),
    Request(DeleteScene.self, SceneParams(scene: "intro")),
    Request(ListScenes.self, NoParams()),
    Request(ListGraphEdits.self, NoParams()),
    Request(ApplyGraph.self, ApplyGraph.Params(path: "/home/dj/dj.yaml", dryRun: true)),
    Request(ListControllers.self, NoParams()),
    Request(ListWebTokens.self, NoParams()),
    Request(MakeWebToken.self, MakeWebToken.Params(role: .mix, route: "pa", label: "Ana's phone")),
    Request(RevokeWebToken.self, RevokeWebToken.Params(id: 3)),
    Request(
      LearnControl.self,
      LearnControl.Params(
        parameter: "/strip/a/pan",
        device: "Fader Box",
        forget: false,
        timeoutMilliseconds: 5_000,
      ),
    ),
    Request(ListPatch.self, NoParams()),
    Request(ConnectPorts.self, PortPairParams(source: "a:out", destination: "system:playback_1")),
    Request(
      DisconnectPorts.self,
      PortPairParams(source: "a:out", destination: "system:playback_1"),
    ),
    Request(WatchParameters.self, WatchParameters.Params(paths: ["/"], echo: true, levels: false)),
  ]

  static let adjustSession = {
    var params = AdjustSession.Params(session: "s")
    params.overrideOutput = .speaker
    params.preferredInput = ""
    params.dataSource = 2
    params.ioRunning = false
    return params
  }()

  static let openSession = {
    var params = OpenSession.Params(app: "voice")
    params.preset = .navigation
    params.priorityClass = .app
    params.ports = ["espeak:*", "/mpv:out_[01]/"]
    params.channels = 1
    params.routes = ["pa"]
    params.preferredIOBufferSeconds = 0.005
    return params
  }()

  static let playedFile = {
    var params = OpenSession.Params(app: "say")
    params.preset = .navigation
    params.file = "/tmp/prompt.wav"
    params.startSeconds = 1.5
    params.activates = true
    return params
  }()

  static let time = EventTime(
    frame: 123_456_789_012,
    monotonicNanoseconds: 18_000_000_000_000_000_000,
    wallSeconds: 1_753_000_000.25,
  )

  static let event = ControlEvent(
    .fadeFinished(.init(fade: 7, of: .strip("a"), gainDB: -.infinity)),
    time: time,
    message: "strip 'a' reached -inf dB",
  )

  static let meters = Meters(
    time: time,
    strips: [
      StripLevels(
        id: "a",
        peak: [0.5, 0],
        rms: [0.25, 0],
        prePeak: [1, 0],
        preRMS: [0.75, 0],
        tap: .pre,
      )
    ],
    routes: [MixLevels(id: "pa", peak: [1], rms: [0.7071068])],
  )

  static let status = HostStatus(
    host: HostProcessStatus(
      name: "test",
      pid: 42,
      version: "0.1.0",
      uptimeSeconds: 1.5,
      graph: "dj-split.yaml"
    ),
    server: ServerStatus(
      name: "default",
      pid: nil,
      owned: true,
      driver: "dummy",
      restarts: 2,
      synchronous: nil,
      state: .lost
    ),
    hardware: HardwareStatus(
      sampleRate: HardwareStatus.Value(
        preferred: 48000,
        actual: 44100,
        reason: "not ours",
        unit: .hertz
      ),
      ioBufferDuration: HardwareStatus.Value(
        preferred: nil,
        actual: nil,
        reason: nil,
        unit: .seconds
      ),
      ioBufferFrames: HardwareStatus.Value(preferred: 64, actual: 64, reason: nil, unit: .frames),
      inputLatency: HardwareStatus.Value(preferred: nil, actual: 0.01, reason: nil, unit: .seconds),
      outputLatency: HardwareStatus.Value(
        preferred: nil,
        actual: 0.02,
        reason: nil,
        unit: .seconds
      ),
      inputChannels: HardwareStatus.Value(preferred: nil, actual: 0, reason: nil, unit: .channels),
      outputChannels: HardwareStatus.Value(
        preferred: 4,
        actual: 2,
        reason: "only 2",
        unit: .channels
      )
    ),
    routes: [
      RouteStatus(
        name: "pa",
        type: .lineOut,
        direction: .output,
        ports: ["system:playback_1"],
        available: true,
        gainDB: -.infinity,
        muted: false,
        latencyFrames: nil
      )
    ],
    strips: [
      StripStatus(
        id: "a",
        source: "file a.flac",
        gainDB: -6,
        muted: true,
        solo: false,
        cue: true,
        pan: 0,
        crossfaderSide: .b,
        meter: .pre,
      )
    ],
    sends: [
      SendStatus(
        strip: "a",
        route: "pa",
        gainDB: 0,
        muted: false,
        cells: [.init(stripChannel: 1, routeChannel: 2, gainDB: -.infinity)]
      )
    ],
    inserts: [
      InsertStatus(
        strip: nil,
        route: "pa",
        wet: 0.5,
        heard: 0,
        leftAlone: false,
        nodes: [
          .init(name: "delay", running: true, bypassed: false, fault: "why", restart: .once)
        ],
      )
    ],
    crossfader: CrossfaderStatus(position: -1, curve: "equalPower"),
    sessions: [
      SessionStatus(
        id: "s1",
        app: "Mixxx",
        category: .multiRoute,
        mode: .default,
        options: [],
        active: true,
        priorityClass: .app,
        strips: ["a"],
        sounding: true,
        silentForLong: false,
        interruptedBy: nil,
        duckedBy: ["s2"],
        duckGainDB: -14,
        sinceMonotonicNanoseconds: 5,
        rule: .act3,
        preferred: PreferredValues(
          sampleRateHz: 48000,
          ioBufferDurationSeconds: nil,
          inputChannels: nil,
          outputChannels: 2
        )
      )
    ],
    engine: EngineStatus(
      cycles: 10,
      xruns: 1,
      loadPercent: 2.5,
      callbackMicroseconds: Percentiles(p50: 1, p90: 2, p99: 3, p999: 4, max: 5),
      lastXrun: XrunStatus(time: time, delayMicroseconds: 120, cause: nil)
    ),
    handovers: [HandoverStatus(strip: "a", misses: 1, missedCycles: 75)],
    alarms: [
      AlarmStatus(
        rule: .prm1,
        app: "memo",
        executable: "/usr/bin/memo",
        client: "memo",
        capture: "system:capture_1",
        port: "memo:in",
        attempts: 12,
      )
    ],
    surfaces: [
      SurfaceStatus(kind: "osc", port: 9000, lan: false, fault: "in use"),
      SurfaceStatus(kind: "oscquery", port: 9001, lan: true, announced: "dj-split"),
    ],
  )
}
