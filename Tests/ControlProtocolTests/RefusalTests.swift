// SPDX-License-Identifier: MIT

import ControlProtocol
import FoundationEssentials
import Synchronization
import Testing

@Suite struct RefusalTests {
  /// A line, the error's code, the place that it must name, and a word of the allowed values.
  struct Case: Sendable {
    var line: String
    var code: ControlErrorCode
    var place: String
    var allowed: String

    init(
      _ method: String,
      _ params: String,
      _ code: ControlErrorCode,
      _ place: String,
      _ allowed: String
    ) {
      line = #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(params)}"#
      self.code = code
      self.place = place
      self.allowed = allowed
    }
  }

  @Test(arguments: [
    Case("setGian", "{}", .methodNotFound, "method", "setGain"),
    Case("openSession", #"{"app":"/usr/bin/rec"}"#, .badValue, "app", "no path"),
    Case("openSession", #"{"app":"client:rec"}"#, .badValue, "app", "no client:NAME"),
    Case("hello", #"{"client":"c","versions":[1],"role":"root"}"#, .badValue, "role", "user, app"),
    Case("setGain", "[1]", .invalidParams, "params", "object"),
    Case("setGain", "null", .invalidParams, "params", "object"),
    Case("setGain", #"{"strip":"a","gain":1}"#, .invalidParams, "gain", "gainDB"),
    Case("setGain", #"{"strip":"a"}"#, .invalidParams, "gainDB", "-inf"),
    Case("setGain", #"{"gainDB":0}"#, .invalidParams, "strip, route", "both"),
    Case("setGain", #"{"strip":1,"gainDB":0}"#, .invalidParams, "strip", "string"),
    Case("setGain", #"{"strip":"a","gainDB":"loud"}"#, .invalidParams, "gainDB", "-inf"),
    Case("setGain", #"{"strip":"a","gainDB":null}"#, .invalidParams, "gainDB", "-inf"),
    Case("setGain", #"{"strip":"a","gainDB":24.5}"#, .badValue, "gainDB", "24"),
    Case("setGain", #"{"strip":"a","gainDB":"inf"}"#, .badValue, "gainDB", "24"),
    Case("setGain", #"{"strip":"a","gainDB":"nan"}"#, .badValue, "gainDB", "24"),
    Case("setGain", #"{"strip":"a","gainDB":1e999}"#, .invalidParams, "gainDB", "-inf"),
    Case(
      "setGain",
      #"{"strip":"a","gainDB":0,"rampMilliseconds":-1}"#,
      .badValue,
      "rampMilliseconds",
      "0 to 60000"
    ),
    Case("setAlignment", #"{"route":"a","mode":"manual"}"#, .badValue, "delayMilliseconds", "500"),
    Case(
      "setAlignment",
      #"{"route":"a","mode":"auto","delayMilliseconds":5}"#,
      .badValue,
      "delayMilliseconds",
      "manual"
    ),
    Case(
      "startRecording",
      #"{"recorder":"a","splitAfterSeconds":5,"splitSizeBytes":1000000}"#,
      .badValue,
      "splitSizeBytes",
      "without splitAfterSeconds"
    ),
    Case("setMute", #"{"strip":"a","muted":1}"#, .invalidParams, "muted", "true or false"),
    Case("setSolo", #"{"strip":"a"}"#, .invalidParams, "solo", "true or false"),
    Case("setCue", #"{"strip":"a","cue":true,"route":7}"#, .invalidParams, "route", "cue route"),
    Case("setPan", #"{"strip":"a","pan":2}"#, .badValue, "pan", "-1 to 1"),
    Case(
      "setSend",
      #"{"strip":"a","route":"b","gainDB":0,"stripChannel":1}"#,
      .badValue,
      "stripChannel, routeChannel",
      "both"
    ),
    Case(
      "setSend",
      #"{"strip":"a","route":"b","gainDB":0,"stripChannel":0,"routeChannel":1}"#,
      .badValue,
      "stripChannel",
      "1 to 768"
    ),
    Case("setCrossfader", #"{"position":-1.1}"#, .badValue, "position", "-1 to 1"),
    Case(
      "fade",
      #"{"route":"pa","gainDB":0,"durationMilliseconds":1e9}"#,
      .badValue,
      "durationMilliseconds",
      "3600000"
    ),
    Case("subscribe", #"{"topics":["meters","metres"]}"#, .invalidParams, "topics[1]", "meters"),
    Case(
      "subscribe",
      #"{"topics":["meters"],"metersIntervalMilliseconds":19}"#,
      .badValue,
      "metersIntervalMilliseconds",
      "20 to 1000"
    ),
    Case(
      "subscribe",
      #"{"topics":["events","events","events"]}"#,
      .badValue,
      "topics",
      "meters"
    ),
    Case("hello", #"{"client":"","versions":[1]}"#, .badValue, "client", "128"),
    Case("hello", #"{"client":"x","versions":[]}"#, .badValue, "versions", "32"),
    Case("hello", #"{"client":"x","versions":[1.5]}"#, .invalidParams, "versions", "whole"),
    Case("status", #"{"all":true}"#, .invalidParams, "all", "no parameters"),
    Case("stop", #"{"fadeMilliseconds":60001}"#, .badValue, "fadeMilliseconds", "60000"),
  ])
  func badParams(_ bad: Case) throws {
    let error = try refusal(of: bad.line)
    #expect(error.code == bad.code)
    #expect(error.data?.place == bad.place)
    #expect(error.data?.allowed.contains(bad.allowed) == true, "\(error)")
    #expect(error.message.contains(bad.place))
  }

  @Test(arguments: [
    ("", ControlErrorCode.parseError), ("{", .parseError), ("nonsense", .parseError),
    ("{}}", .parseError), ("\u{0}", .parseError),
    ("5", .invalidRequest), ("null", .invalidRequest), ("\"x\"", .invalidRequest),
    ("{}", .invalidRequest), (#"{"jsonrpc":"1.0","id":1,"method":"status"}"#, .invalidRequest),
    (#"{"id":1,"method":"status"}"#, .invalidRequest),
    (#"{"jsonrpc":"2.0","id":1}"#, .invalidRequest),
    (#"{"jsonrpc":"2.0","id":1,"method":5}"#, .invalidRequest),
    (#"{"jsonrpc":"2.0","id":1.5,"method":"status"}"#, .invalidRequest),
    (#"{"jsonrpc":"2.0","id":null,"method":"status"}"#, .invalidRequest),
    (#"{"jsonrpc":"2.0","id":[],"method":"status"}"#, .invalidRequest),
    (#"{"jsonrpc":"2.0","id":1,"result":{}}"#, .invalidRequest),
    ("[]", .invalidRequest), ("[", .parseError),
  ])
  func notARequest(_ line: String, code: ControlErrorCode) throws {
    let message = try readMessage(line)
    #expect(message.isAnswered)
    #expect(throws: ControlError.self) { try message.request.get() }
    #expect(try refusal(of: line).code == code)
  }

  @Test func deepNestingIsRefused() throws {
    let line = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
    #expect(try refusal(of: line).code == .parseError)
  }

  @Test(arguments: [[0xFF], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xE2, 0x82]] as [[UInt8]])
  func invalidUTF8IsRefused(_ bytes: [UInt8]) throws {
    var line = Data(#"{"jsonrpc":"2.0","id":1,"method":"setSolo","params":{"strip":""#.utf8)
    line.append(contentsOf: bytes)
    line.append(contentsOf: Data(#"","solo":true}}"#.utf8))
    let message = try #require(RequestDecoder().decode(line).messages.first)
    #expect(throws: ControlError.self) { try message.request.get() }
  }

  @Test func aNotificationIsNeverAnswered() throws {
    let good = try readMessage(#"{"jsonrpc":"2.0","method":"status"}"#)
    #expect(!good.isAnswered)
    #expect(throws: Never.self) { try good.request.get() }
    let bad = try readMessage(#"{"jsonrpc":"2.0","method":"setPan","params":{"pan":9}}"#)
    #expect(!bad.isAnswered)
    #expect(throws: ControlError.self) { try bad.request.get() }
  }

  @Test func aBatchKeepsGoodAndBadApart() throws {
    let line =
      #" [{"jsonrpc":"2.0","id":1,"method":"status"},1,{"jsonrpc":"2.0","method":"status"}]"#
    guard case .batch(let messages) = read(line) else {
      Issue.record("not a batch")
      return
    }
    #expect(messages.map(\.isAnswered) == [true, true, false])
    #expect(messages.map { (try? $0.request.get()) != nil } == [true, false, true])
  }

  @Test func aBatchThatIsTooLongIsNotCarriedOut() throws {
    let request = #"{"jsonrpc":"2.0","id":1,"method":"status"}"#
    let fits = "[" + Array(repeating: request, count: 128).joined(separator: ",") + "]"
    #expect(read(fits).messages.count == 128)
    let tooLong = "[" + Array(repeating: request, count: 129).joined(separator: ",") + "]"
    #expect(try refusal(of: tooLong).code == .tooLarge)
  }

  @Test func aBatchWithTooManyMessagesIsRefusedBeforeAnyOfThemIsRead() throws {
    let registry = MethodRegistry([Noted.self])
    let decoder = RequestDecoder(registry: registry, batchLimit: 3)
    let message = #"{"jsonrpc":"2.0","id":1,"method":"noted","params":{"value":1}}"#
    for count in [3, 4] {
      let batch = "[" + repeatElement(message, count: count).joined(separator: ",") + "]"
      let line = decoder.decode(Data(batch.utf8))
      #expect(line.messages.count == (count == 3 ? 3 : 1))
    }
    #expect(Noted.reads.withLock { $0 } == 3)
  }

  @Test func everyPrefixOfEveryRequestIsRefused() throws {
    for sample in Samples.requests {
      let line = Data(try sample.line(.integer(1)).utf8)
      for length in 0..<line.count {
        let message = try #require(RequestDecoder().decode(line.prefix(length)).messages.first)
        guard case .failure(let error) = message.request else {
          Issue.record("\(sample.name) was taken with \(length) of \(line.count) bytes")
          continue
        }
        #expect(error.code == .parseError)
      }
    }
  }

  @Test func namesOfWhatExistsComeWithAnUnknownStrip() {
    let error = ControlError.unknownStrip("c", known: ["a", "b"])
    #expect(error.code == .unknownStrip)
    #expect(error.message == "strip: there is no strip 'c'; allowed: a, b")
  }
}

/// A method that counts how often its parameters are read.
private enum Noted: ControlMethod {
  static let reads = Mutex(0)
  static let name = "noted"
  typealias Result = NoResult

  struct Params: ControlParams {
    var value: Int
    static let fields: [ParamField<Params>] = [ParamField("value", allowed: "a number")]

    init(from decoder: any Decoder) throws {
      reads.withLock { $0 += 1 }
      value = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .value)
    }
  }
}
