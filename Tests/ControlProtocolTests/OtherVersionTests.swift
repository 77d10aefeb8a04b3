// SPDX-License-Identifier: MIT

import ControlProtocol
import FoundationEssentials
import Sessions
import Testing

/// Answers of hosts of another version, and requests of their clients.
@Suite struct OtherVersionTests {
  private static let line = MessageEncoder().reply(.success(Samples.status), id: .integer(1))

  /// The status with another text in the place of one.
  private static func status(_ known: String, _ other: String) throws -> (HostStatus, Data) {
    let text = String(decoding: line, as: UTF8.self)
    try #require(text.contains(known), "\(known) is not in \(text)")
    let changed = Data(text.replacing(known, with: other).utf8)
    return (try ReplyDecoder().result(of: GetStatus.self, in: changed), changed)
  }

  @Test(arguments: [
    (#""category":"multiRoute""#, #""category":"hologram""#),
    (#""mode":"default""#, #""mode":"trance""#),
    (#""options":[]"#, #""options":["levitate","mixWithOthers"]"#),
    (#""priorityClass":"app""#, #""priorityClass":"emperor""#),
    (#""rule":"ACT-3""#, #""rule":"XYZ-1""#),
    (#""interruptedBy":null"#, #""interruptedBy":"a black hole""#),
    (#""type":"lineOut""#, #""type":"hat""#),
    (#""direction":"output""#, #""direction":"inward""#),
    (#""alignment":"free""#, #""alignment":"tilted""#),
    (#""state":"lost""#, #""state":"dreaming""#),
    (#""restart":"once""#, #""restart":"sometimes""#),
    (#""unit":"Hz""#, #""unit":"furlongs""#),
    (#""meter":"pre""#, #""meter":"sideways""#),
  ])
  func `one unknown name costs nothing of the rest of a status`(known: String, other: String) throws
  {
    let (status, line) = try Self.status(known, other)
    #expect(status != Samples.status)
    // The name is kept as it came: what is written again is what was read.
    let again = MessageEncoder().reply(.success(status), id: .integer(1))
    #expect(String(decoding: again, as: UTF8.self) == String(decoding: line, as: UTF8.self))
  }

  @Test func `an unknown tap of a meter costs no levels`() throws {
    let line = String(
      decoding: try MessageEncoder().notification(.meters(Samples.meters)),
      as: UTF8.self,
    )
    let other = Data(line.replacing(#""tap":"pre""#, with: #""tap":"sideways""#).utf8)
    guard case .notification(.meters(let meters))? = ReplyDecoder().decode(other) else {
      Issue.record("not read: \(line)")
      return
    }
    #expect(meters.strips[0].tap == nil && meters.strips[0].$tap == "sideways")
    #expect(meters.strips[0].levels(at: .pre) == Samples.meters.strips[0].levels(at: .pre))
  }

  @Test func `an unknown name is nil as a value, and can be shown`() throws {
    let (category, _) = try Self.status(#""category":"multiRoute""#, #""category":"hologram""#)
    #expect(category.sessions[0].category == nil)
    #expect(category.sessions[0].$category == "hologram")
    #expect(category.sessions[0].mode == Samples.status.sessions[0].mode)

    let (options, _) = try Self.status(
      #""options":[]"#,
      #""options":["levitate","mixWithOthers"]"#,
    )
    #expect(options.sessions[0].options == .mixWithOthers)
    #expect(options.sessions[0].$options == ["levitate", "mixWithOthers"])

    let (rule, _) = try Self.status(#""rule":"ACT-3""#, #""rule":"XYZ-1""#)
    #expect(rule.sessions[0].rule?.wrappedValue == nil)
    #expect(rule.sessions[0].rule?.name == "XYZ-1")
  }

  @Test(arguments: [
    ("call-2", SessionInterrupter.session("call-2")), ("simulated alarm", .simulated(.alarm)),
    ("background", .background), ("muted microphone", .microphoneMute),
    ("lost route", .routeDisconnect), ("simulated emperor", .session("simulated emperor")),
  ])
  func `the interrupter of a session travels as one text`(
    text: String,
    interrupter: SessionInterrupter,
  ) throws {
    #expect(interrupter.description == text)
    let line = try JSONEncoder().encode([interrupter])
    #expect(String(decoding: line, as: UTF8.self) == "[\"\(text)\"]")
    #expect(try JSONDecoder().decode([SessionInterrupter].self, from: line) == [interrupter])
  }

  @Test func `a refusal by an unknown rule is read whole`() throws {
    let line = #"""
      {"error":{"code":-32014,"data":{"allowed":"a","fault":"f","place":"p","rule":"XYZ-1",\#
      "sessionErrorCode":-50},"message":"m"},"id":1,"jsonrpc":"2.0"}
      """#
    guard case .reply(_, let error?)? = ReplyDecoder().decode(Data(line.utf8)) else {
      Issue.record("not read: \(line)")
      return
    }
    #expect(error.data?.rule == nil)
    #expect(error.data?.ruleName == "XYZ-1")
    #expect(error.data?.sessionErrorCode == -50)
    let again = MessageEncoder().reply(.failure(error), id: .integer(1))
    #expect(try json(again) == json(Data(line.utf8)))
  }

  @Test(arguments: [
    ("category", #""hologram""#, "hologram", Category.allCases.map(\.name).joined(separator: ", ")),
    ("mode", #""trance""#, "trance", Mode.allCases.map(\.name).joined(separator: ", ")),
    (
      "options", #"["mixWithOthers","levitate"]"#, "levitate",
      CategoryOptions.named.map(\.name).joined(separator: ", "),
    ),
    ("compatibility", #""ios99""#, "ios99", "latest, or ios7 to ios27"),
  ])
  func `SES-2 an unknown part of a configuration is refused as the tower refuses`(
    parameter: String,
    value: String,
    name: String,
    allowed: String,
  ) throws {
    let error = try refusal(
      of:
        #"{"jsonrpc":"2.0","id":1,"method":"openSession","params":{"app":"a","\#(parameter)":\#(value)}}"#
    )
    #expect(error.code == .badValue)
    #expect(error.message == "SES-2: \(parameter) is \(name); allowed: \(allowed)")
    #expect(error.data?.place == "session")
    #expect(error.data?.fault == "\(parameter) is \(name); allowed: \(allowed)")
    #expect(error.data?.allowed == allowed)
    #expect(error.data?.rule == .ses2)
    #expect(error.data?.sessionErrorCode == SessionError.Code.badParam.rawValue)
  }
}
