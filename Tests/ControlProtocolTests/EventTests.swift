// SPDX-License-Identifier: MIT

import ControlProtocol
import FoundationEssentials
import Sessions
import Testing

@Suite struct EventTests {
  private func line(kind: String, details: String) -> Data {
    Data(
      (#"{"jsonrpc":"2.0","method":"event","params":{"details":\#(details),"kind":"\#(kind)","#
        + #""message":"m","time":{"frame":1,"monotonicNanoseconds":2,"wallSeconds":3.5}}}"#).utf8
    )
  }

  private func event(_ line: Data) throws -> ControlEvent {
    guard case .notification(.event(let event))? = ReplyDecoder().decode(line) else {
      throw ControlError(
        .internalError,
        message: "no event: \(String(decoding: line, as: UTF8.self))"
      )
    }
    return event
  }

  @Test(arguments: EventSample.all)
  func aPayloadIsWrittenAsDocumentedAndReadAgain(_ sample: EventSample) throws {
    let time = EventTime(frame: 1, monotonicNanoseconds: 2, wallSeconds: 3.5)
    let written = try MessageEncoder().notification(
      .event(ControlEvent(sample.payload, time: time, message: "m"))
    )
    let expected = line(kind: sample.payload.kindName, details: sample.json)
    #expect(String(decoding: written, as: UTF8.self) == String(decoding: expected, as: UTF8.self))
    #expect(try event(written).payload == sample.payload)
  }

  @Test func everyKindHasASample() {
    #expect(Set(EventSample.all.compactMap(\.payload.kind)) == Set(EventKind.allCases))
  }

  @Test(arguments: EventSample.all.filter { $0.needs != nil })
  func aMissingPartIsNotReadAsSomethingElse(_ sample: EventSample) throws {
    let key = try #require(sample.needs)
    var details = try json(Data(sample.json.utf8)).members
    #expect(details.removeValue(forKey: key) != nil, "\(key) is no key of \(sample.json)")
    let text = try String(decoding: JSONEncoder().encode(JSONValue.object(details)), as: UTF8.self)
    let params = line(kind: sample.payload.kindName, details: text)
    try expectUnread(params, kind: sample.payload.kindName, details: .object(details))
  }

  /// Expects an event whose details were not read, with all of them kept, its message and its time.
  private func expectUnread(_ line: Data, kind: String, details: JSONValue) throws {
    let unread = try event(line)
    #expect(unread.payload == .unknown(kind: kind, details: details))
    #expect(unread.kind == nil)
    #expect(unread.message == "m")
    #expect(unread.time == EventTime(frame: 1, monotonicNanoseconds: 2, wallSeconds: 3.5))
  }

  @Test func anUnknownKindKeepsItsDetails() throws {
    let unknown = try event(line(kind: "lunchTime", details: #"{"menu":["soup",1]}"#))
    #expect(unknown.kind == nil)
    #expect(unknown.kindName == "lunchTime")
    let details = JSONValue.object(["menu": .array(["soup", 1])])
    #expect(unknown.payload == .unknown(kind: "lunchTime", details: details))
    let again = try MessageEncoder().notification(.event(unknown))
    #expect(try event(again) == unknown)
  }

  @Test func keysOfANewerVersionAreIgnored() throws {
    let newer = try event(line(kind: "nodeGone", details: #"{"node":"delay","mood":"sad"}"#))
    #expect(newer.payload == .nodeGone(.init(node: "delay")))
  }

  @Test(arguments: [
    ("decision", #"{"rule":"XYZ-1"}"#), ("helper", #"{"route":"pa","state":"lost"}"#),
    ("device", #"{"device":"d","name":"n","present":true,"type":"toaster"}"#),
    ("xrun", #"{"cause":"c","delayMicroseconds":"late"}"#),
    ("session", #"{"app":"a","command":"jump","notification":"remoteCommand","session":"s"}"#),
    ("latencyChanged", #"{"pa":-1}"#),
  ])
  func aWrongValueIsNotReadAsAnother(kind: String, details: String) throws {
    let all = try json(Data(details.utf8))
    try expectUnread(line(kind: kind, details: details), kind: kind, details: all)
  }

  @Test(arguments: MixCase.all)
  func aChangeOfTheMixReportsTheParametersOfItsMethod(_ change: MixCase) throws {
    let details = try JSONEncoder().encode(change.params)
    let event = try event(
      line(kind: "mixChanged", details: String(decoding: details, as: UTF8.self))
    )
    #expect(event.payload == .mixChanged(change.params.change))
  }
}

/// The parameters of a method that changes the mix.
struct MixCase: Sendable {
  var params: any MixParams

  static let all: [MixCase] = [
    MixCase(SetGain.Params(target: .send(strip: "a", route: "b"), gainDB: 3, rampMilliseconds: 5)),
    MixCase(SetMute.Params(target: .strip("a"), muted: false)),
    MixCase(SetSolo.Params(strip: "a", solo: true)),
    MixCase(SetCue.Params(strip: "a", cue: true, route: "phones")),
    MixCase(SetPan.Params(strip: "a", pan: -0.5, rampMilliseconds: 5)),
    MixCase(
      SetSend.Params(strip: "a", route: "b", gainDB: 0, stripChannel: 1, routeChannel: 2)
    ),
    MixCase(SetCrossfader.Params(position: 1)),
    MixCase(SetInserts.Params(target: .strip("a"), nodes: ["delay"], wet: 0.5)),
    MixCase(SetBypass.Params(target: .route("b"), node: "delay", bypassed: true)),
  ]

  init(_ params: any MixParams) { self.params = params }
}
