// SPDX-License-Identifier: MIT

import ControlProtocol
import FoundationEssentials
import Testing

@Suite struct RoundTripTests {
  @Test(arguments: Samples.requests, [MessageID.integer(-7), .string("ü\n\"1")])
  func request(_ sample: Samples.Request, id: MessageID) throws {
    let line = try sample.line(id)
    #expect(!line.contains("\n"))
    let message = try readMessage(line)
    #expect(message.id == id)
    #expect(message.isAnswered)
    #expect(sample.isRecognised(try message.request.get()))
  }

  @Test func everyMethodHasASample() {
    #expect(Set(Samples.requests.map(\.name)) == Set(MethodRegistry.standard.names))
  }

  @Test func status() throws {
    let line = MessageEncoder().reply(.success(Samples.status), id: .integer(1))
    #expect(ReplyDecoder().decode(line) == .reply(id: .integer(1), error: nil))
    #expect(try ReplyDecoder().result(of: GetStatus.self, in: line) == Samples.status)
  }

  @Test func statusHasEveryKeyAlsoWhenItsValueIsMissing() throws {
    let line = MessageEncoder().reply(.success(Samples.status), id: .integer(1))
    let status = try #require(try json(line).members["result"]).members
    #expect(
      Set(status.keys) == [
        "host", "server", "hardware", "routes", "strips", "sends", "crossfader", "sessions",
        "engine", "recorders", "inserts", "handovers", "patches", "patchRules", "alarms",
        "surfaces",
      ]
    )
    let hardware = try #require(status["hardware"]).members
    #expect(
      Set(hardware.keys) == [
        "sampleRate", "ioBufferDuration", "ioBufferFrames", "inputLatency", "outputLatency",
        "inputChannels", "outputChannels",
      ]
    )
    for value in hardware.values {
      #expect(Set(value.members.keys) == ["preferred", "actual", "reason", "unit"])
    }
    #expect(
      Set(try #require(status["routes"]?.elements.first).members.keys) == [
        "name", "type", "direction", "ports", "available", "gainDB", "muted", "latencyFrames",
        "alignment", "delayFrames", "alignmentErrorFrames", "fallback", "helper",
      ]
    )
    #expect(
      Set(try #require(status["sessions"]?.elements.first).members.keys) == [
        "id", "app", "category", "mode", "options", "active", "priorityClass", "strips",
        "direct", "connected", "sounding", "silence", "silentForLong", "interruptedBy", "duckedBy",
        "duckGainDB",
        "sinceMonotonicNanoseconds", "rule", "preferred",
      ]
    )
    #expect(
      Set(try #require(status["server"]).members.keys) == [
        "name", "pid", "owned", "driver", "restarts", "synchronous", "state", "fault",
      ]
    )
    #expect(
      Set(try #require(status["engine"]).members.keys) == [
        "cycles", "xruns", "loadPercent", "callbackMicroseconds", "lastXrun",
      ]
    )
  }

  @Test func results() throws {
    func returns<Method: ControlMethod>(
      _ method: Method.Type,
      _ result: Method.Result,
    ) throws where Method.Result: Equatable {
      let line = MessageEncoder().reply(.success(result), id: .string("x"))
      #expect(try ReplyDecoder().result(of: method, in: line) == result)
    }
    let hello = Hello.Result(
      version: 1,
      host: "h",
      pid: 1,
      hostVersion: "1.0",
      capabilities: ["hello"],
      role: .app,
    )
    try returns(Hello.self, hello)
    try returns(Subscribe.self, Subscription(topics: [], metersIntervalMilliseconds: nil))
    try returns(SetGain.self, Applied(frame: nil))
    try returns(SetPan.self, Applied(frame: .max))
    try returns(StartFade.self, StartFade.Result(fade: 1, fromGainDB: -.infinity, frame: 5))
    try returns(Stop.self, NoResult())
  }

  @Test(arguments: [
    ControlNotification.event(Samples.event), .meters(Samples.meters),
    .unknown(method: "news", params: .object(["a": .array([1, "b", .null])])),
  ])
  func notification(_ notification: ControlNotification) throws {
    let line = try MessageEncoder().notification(notification)
    #expect(ReplyDecoder().decode(line) == .notification(notification))
  }

  @Test func aStripHasItsLevelsAtBothTaps() throws {
    let line = try json(MessageEncoder().notification(.meters(Samples.meters)))
    let strip = try #require(line.members["params"]?.members["strips"]?.elements.first)
    #expect(
      strip
        == .object([
          "id": "a", "peak": .array([0.5, 0]), "rms": .array([0.25, 0]),
          "prePeak": .array([1, 0]), "preRMS": .array([0.75, 0]), "tap": "pre",
        ])
    )
  }

  @Test(arguments: ControlErrorCode.names.keys.sorted { $0.rawValue < $1.rawValue })
  func error(_ code: ControlErrorCode) {
    let error = ControlError(code, place: "gainDB", fault: "99 is too much", allowed: "up to 24")
    let call = MessageEncoder().reply(.failure(error), id: .integer(3))
    #expect(ReplyDecoder().decode(call) == .reply(id: .integer(3), error: error))
    let lastWord = MessageEncoder().reply(.failure(error), id: nil)
    #expect(ReplyDecoder().decode(lastWord) == .failure(error))
  }

  @Test func silenceIsAStringOnTheWire() throws {
    let line = try MessageEncoder().request(
      SetGain.self,
      SetGain.Params(target: .strip("a"), gainDB: -.infinity),
      id: .integer(1)
    )
    #expect(try json(line).members["params"]?.members["gainDB"] == "-inf")
  }

  @Test func anUnwritableResultBecomesAnError() throws {
    struct Unwritable: Encodable, Sendable {
      func encode(to encoder: any Encoder) throws { throw ControlError(.refused, message: "no") }
    }
    let line = MessageEncoder().reply(.success(Unwritable()), id: .integer(1))
    guard case .reply(.integer(1), let error?) = ReplyDecoder().decode(line) else {
      Issue.record("not an error")
      return
    }
    #expect(error.code == .internalError)
  }

  @Test func anOddFloatInAResultDoesNotLoseTheAnswer() throws {
    let result = StartFade.Result(fade: 1, fromGainDB: .nan, frame: nil)
    let line = MessageEncoder().reply(.success(result), id: .integer(1))
    #expect(try ReplyDecoder().result(of: StartFade.self, in: line).fromGainDB.isNaN)
  }
}
