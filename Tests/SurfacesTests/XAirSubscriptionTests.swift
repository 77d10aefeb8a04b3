// SPDX-License-Identifier: MIT

import ControlProtocol
import OSC
import Testing

@testable import Surfaces

/// Subscriptions and meters of the dialect, without a port.
@Suite
struct XAirSubscriptionTests {
  private static func subscription(_ path: String, _ values: OSCValue...) -> XAirSubscription? {
    XAirSubscription(OSCMessage(path, values))
  }

  @Test func `XA-7, XA-20 subscriptions are read in all of their forms`() {
    let one = Self.subscription("/subscribe", .text("/ch/01/mix/on"), .integer(2))
    #expect(one?.source == .value("/ch/01/mix/on"))
    #expect(one?.interval == .milliseconds(100))
    let meters = Self.subscription("/meters", .text("/meters/1"))
    #expect(meters?.source == .meters(1, channel: 0))
    #expect(meters?.interval == .milliseconds(100))
    let batch = Self.subscription(
      "/batchsubscribe",
      .text("meters/0"),
      .text("/meters/0"),
      .integer(3),
      .integer(0),
      .integer(40),
    )
    #expect(batch?.name == "meters/0")
    #expect(batch?.source == .meters(0, channel: 3))
    #expect(batch?.interval == .seconds(2))
    let format = Self.subscription(
      "/formatsubscribe",
      .text("/www"),
      .text("/config/buslink/1-2"),
      .text("/ch/**/mix/on"),
      .integer(10),
      .integer(12),
      .integer(20),
    )
    #expect(
      format?.source
        == .values([
          "/config/buslink/1-2", "/ch/10/mix/on", "/ch/11/mix/on", "/ch/12/mix/on",
        ])
    )
    #expect(format?.interval == .seconds(1))
    let faulty: [OSCMessage] = [
      OSCMessage("/subscribe"), OSCMessage("/subscribe", [.integer(1)]),
      OSCMessage("/subscribe", [.text("")]), OSCMessage("/subscribe", [.text("a\nb")]),
      OSCMessage("/meters", [.text("/meters/10")]), OSCMessage("/meters", [.text("/meters/-1")]),
      OSCMessage("/batchsubscribe", [.text("/a"), .text("/ch/01/mix/on")]),
      OSCMessage(
        "/formatsubscribe",
        [.text("/a"), .text("/b/*"), .integer(5), .integer(1), .integer(1)]
      ),
      OSCMessage(
        "/formatsubscribe",
        [.text("/a"), .text("/b/**"), .text("/c/**"), .integer(0), .integer(99), .integer(1)],
      ),
      OSCMessage("/subscribe", [.text(String(repeating: "x", count: 65))]),
    ]
    for message in faulty { #expect(XAirSubscription(message) == nil, "\(message)") }
  }

  @Test func `XA-7 a format is a blob of little-endian values behind its own length`() throws {
    let format = try #require(
      Self.subscription(
        "/formatsubscribe",
        .text("/testme"),
        .text("/ch/**/mix/on"),
        .integer(1),
        .integer(4),
        .integer(80),
      )
    )
    let message = try #require(XAirTests.dialect.message(format))
    var hex = ""
    for byte in OSCPacket.message(message).bytes {
      hex += (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    #expect(
      hex == "2f746573746d65002c620000000000141400000001000000010000000000000000000000"
    )
    let names = try #require(
      Self.subscription(
        "/formatsubscribe",
        .text("/n"),
        .text("/ch/*/config/name"),
        .text("/lr/mix/fader"),
        .integer(1),
        .integer(1),
        .integer(1),
      )
    )
    // A text takes 32 bytes.
    let blob = [40, 0, 0, 0] + [UInt8](repeating: 0, count: 34) + [0x40, 0x3F]
    #expect(XAirTests.dialect.message(names)?.values == [.blob(blob)])
  }

  @Test func `XA-21 each set of meters has its size, and the recorder's has the main mix`() throws {
    func levels(_ path: String, _ levels: [Double]) -> ParameterDescription {
      ParameterDescription(
        path: path,
        type: .numbers,
        access: .read,
        description: "",
        value: .numbers(levels),
      )
    }
    var dialect = XAirDialect(name: "stage")
    dialect.arrange(XAirTests.parameters + [levels("/route/main/level", [-3, -6])])
    for (number, count) in [8, 40, 36, 56, 100, 44, 39, 16, 4, 4].enumerated() {
      let set = try #require(Self.subscription("/meters", .text("/meters/\(number)")))
      guard case .blob(let bytes)? = dialect.message(set)?.values.first else {
        Issue.record("no blob of set \(number)")
        continue
      }
      #expect(bytes.count == 4 + 2 * count && bytes.prefix(4) == [UInt8(count), 0, 0, 0])
      switch number {
      case 3, 4, 8: #expect(bytes.dropFirst(4).allSatisfy { $0 == 0 || $0 == 0x80 })
      // 1/256 dB, the lowest byte first.
      case 9: #expect(bytes.dropFirst(4) == [0, 0xFD, 0, 0xFA, 0, 0x80, 0, 0x80])
      default: break
      }
    }
  }

  @Test func `leases end, are renewed by name with or without a slash, and are counted`() throws {
    var subscriptions = XAirSubscriptions()
    let app = OSCClient(address: "10.0.0.2", port: 1)
    let begin = ContinuousClock.now
    func due(_ milliseconds: Int) -> [String] {
      subscriptions.due(now: begin + .milliseconds(milliseconds)).map(\.what.name).sorted()
    }
    func add(_ subscription: XAirSubscription, _ client: OSCClient) -> Bool {
      subscriptions.add(subscription, of: client, now: begin)
    }
    let meters = try #require(Self.subscription("/meters", .text("/meters/1")))
    let value = try #require(Self.subscription("/subscribe", .text("/lr/mix/on"), .integer(10)))
    #expect(add(meters, app))
    #expect(add(value, app))
    #expect(subscriptions.wantsLevels && subscriptions.wantsValues)
    #expect(due(99) == [])
    #expect(due(100) == ["/meters/1"])
    #expect(due(150) == [])
    #expect(due(500) == ["/lr/mix/on", "/meters/1"])
    subscriptions.renew("meters/1", of: app, now: begin + .seconds(9))
    #expect(due(12_000) == ["/meters/1"])
    subscriptions.end("meters/2", of: app)
    #expect(!subscriptions.isEmpty)
    subscriptions.end("meters/1", of: app)
    #expect(subscriptions.isEmpty)
    for number in 0..<40 {
      let one = try #require(Self.subscription("/subscribe", .text("/ch/\(number)")))
      #expect(add(one, app) == (number < XAirSubscriptions.limit))
    }
    for number in 0..<10 {
      let other = OSCClient(address: "10.0.0.3", port: number)
      #expect(add(meters, other) == (number < XAirSurface.clientLimit - 1))
    }
    subscriptions.end(nil, of: app)
    #expect(due(60_000) == [])
    #expect(subscriptions.isEmpty)
  }

  @Test(arguments: Array(zip(0..., [8, 40, 36, 56, 100, 44, 39, 16, 4, 4])))
  func `XA-21 each set of meters has its size`(number: Int, count: Int) throws {
    let meters = try #require(Self.subscription("/meters", .text("/meters/\(number)")))
    guard case .blob(let bytes)? = XAirTests.dialect.message(meters)?.values.first else {
      Issue.record("no blob")
      return
    }
    #expect(bytes.count == 4 + 2 * count)
    #expect(bytes.prefix(4) == [UInt8(count), 0, 0, 0])
  }

  @Test func `XA-21 the gains of busses and of the main mix are those of their limiters`() throws {
    let meters = try #require(Self.subscription("/meters", .text("/meters/6")))
    // 16 gates, 16 compressors, 6 busses, and the main mix, which has no limiter here.
    var gains = [UInt8](repeating: 0, count: 2 * 39)
    gains[2 * 32 + 1] = 0xFA
    #expect(XAirTests.dialect.message(meters)?.values == [.blob([39, 0, 0, 0] + gains)])
    #expect(XAirTests.dialect.layout.levels.contains("/route/phones/reduction"))
  }

  @Test func `XA-21 the meters of one channel are its sides before and behind the fader`() throws {
    let meters = try #require(
      Self.subscription("/meters", .text("/meters/0"), .integer(1), .integer(0), .integer(1))
    )
    let levels: [UInt8] = [0x00, 0xEE, 0x00, 0xC4]
    #expect(
      XAirTests.dialect.message(meters)?.values
        == [.blob([8, 0, 0, 0] + levels + [0, 0, 0, 0] + levels + [0x00, 0x80, 0x00, 0x80])]
    )
  }
}
