// SPDX-License-Identifier: MIT

import ControlProtocol
import OSC
import Testing

@testable import Surfaces

/// The dialect of X-Air mixers, and a scripted app over a real port.
@Suite(.timeLimit(.minutes(1)))
struct XAirTests {
  private static func number(_ path: String, _ value: Double) -> ParameterDescription {
    ParameterDescription(
      path: path,
      type: .number,
      access: .readWrite,
      description: "",
      value: .number(value),
    )
  }

  private static func flag(_ path: String) -> ParameterDescription {
    ParameterDescription(
      path: path,
      type: .flag,
      access: .readWrite,
      description: "",
      value: .flag(false),
    )
  }

  static let parameters: [ParameterDescription] =
    ["deck%20a", "mic"].flatMap { strip in
      [
        number("/strip/\(strip)/gain", 0), number("/strip/\(strip)/pan", 0),
        flag("/strip/\(strip)/mute"), flag("/strip/\(strip)/cue"),
        number("/strip/\(strip)/send/phones/gain", -10), flag("/strip/\(strip)/send/main/mute"),
        ParameterDescription(
          path: "/strip/\(strip)/level",
          type: .numbers,
          access: .read,
          description: "",
          value: .numbers([-18, -60]),
        ),
      ]
    } + [
      number("/route/main/gain", 0), flag("/route/main/mute"), number("/route/phones/gain", -20),
      flag("/route/phones/mute"),
      ParameterDescription(
        path: "/route/phones/reduction",
        type: .numbers,
        access: .read,
        description: "",
        value: .numbers([-6]),
      ),
      ParameterDescription(
        path: "/strip/mic/label",
        type: .text,
        access: .read,
        description: "",
        value: .text("Ana"),
      ),
      ParameterDescription(
        path: "/route/main/label",
        type: .text,
        access: .read,
        description: "",
        value: .text(""),
      ),
    ]

  /// A mixer with these parameters.
  static var dialect: XAirDialect {
    var dialect = XAirDialect(name: "stage")
    dialect.address = "10.0.0.1"
    dialect.arrange(parameters)
    return dialect
  }

  private func answer(_ path: String, _ values: OSCValue...) -> [OSCValue]? {
    var dialect = Self.dialect
    guard case .answers(let answers) = dialect.take(OSCMessage(path, values)) else { return nil }
    return answers.first?.values
  }

  private func change(_ path: String, _ value: OSCValue) -> ParameterSetting? {
    var dialect = Self.dialect
    guard case .changes(let changes, _) = dialect.take(OSCMessage(path, [value])) else {
      return nil
    }
    return changes.first?.setting
  }

  @Test func `XA-3 an app finds the mixer, its name and its model`() {
    #expect(answer("/xinfo") == [.text("10.0.0.1"), .text("stage"), .text("XR18"), .text("1.18")])
    #expect(answer("/status") == [.text("active"), .text("10.0.0.1"), .text("stage")])
    #expect(answer("/info")?.count == 4)
  }

  @Test func `XA-10, XA-34 strips are channels, and routes are the main mix and busses`() {
    #expect(answer("/ch/01/mix/fader") == [.float(0.75)])
    #expect(answer("/ch/01/mix/on") == [.integer(1)])
    #expect(answer("/ch/02/mix/pan") == [.float(0.5)])
    #expect(answer("/ch/01/mix/01/level") == [.float(0.5)])
    #expect(answer("/ch/01/mix/lr") == [.integer(1)])
    #expect(answer("/ch/01/config/name") == [.text("deck a")])
    #expect(answer("/ch/02/config/name") == [.text("Ana")])
    #expect(answer("/lr/config/name") == [.text("main")])
    #expect(answer("/bus/1/mix/fader") == [.float(0.375)])
    #expect(answer("/bus/1/config/name") == [.text("phones")])
    #expect(answer("/lr/mix/fader") == [.float(0.75)])
    #expect(answer("/-stat/solosw/02") == [.integer(0)])
  }

  @Test func `XA-4 faders, switches and pans set their parameters, and faulty values nothing`() {
    #expect(change("/ch/02/mix/fader", .float(0.5))?.value == .number(-10))
    #expect(change("/ch/02/mix/fader", .float(0))?.value == .number(-.infinity))
    #expect(
      change("/ch/02/mix/on", .integer(0))
        == ParameterSetting(path: "/strip/mic/mute", value: .flag(true))
    )
    #expect(change("/ch/01/mix/on", .text("ON"))?.value == .flag(false))
    #expect(change("/ch/01/mix/pan", .float(0))?.value == .number(-1))
    #expect(change("/-stat/solosw/01", .integer(1))?.path == "/strip/deck%20a/cue")
    #expect(change("/lr/mix/fader", .float(.nan)) == nil)
    #expect(change("/lr/mix/fader", .text("x")) == nil)
  }

  @Test
  func `XA-31, XA-32 addresses without a parameter are answered, and keep what they are given`() {
    #expect(answer("/ch/03/mix/fader") == [.float(0)])
    #expect(answer("/ch/03/mix/on") == [.integer(0)])
    #expect(answer("/ch/03/config/name") == [.text("")])
    #expect(answer("/dca/1/config/name") == [.text("")])
    #expect(answer("/headamp/01/gain") == [.float(1.0 / 6)])
    #expect(answer("/-snap/index") == [.integer(1)])
    #expect(answer("/main/st/grp/dca") == [.integer(0)])
    #expect(answer("/nothing/here") == nil)
    var dialect = Self.dialect
    _ = dialect.take(OSCMessage("/ch/01/config/color", [.integer(5)]))
    _ = dialect.take(OSCMessage("/headamp/01/gain", [.float(.nan)]))
    _ = dialect.take(OSCMessage("/headamp/02/gain", [.text("x")]))
    for (path, value) in [
      ("/ch/01/config/color", OSCValue.integer(5)), ("/headamp/01/gain", .float(1.0 / 6)),
      ("/headamp/02/gain", .float(1.0 / 6)),
    ] {
      guard case .answers(let answers) = dialect.take(OSCMessage(path)) else {
        Issue.record("no answer for \(path)")
        continue
      }
      #expect(answers == [OSCMessage(path, [value])])
    }
  }

  @Test func `XA-T2 meters are levels in 1/256 dB, little-endian`() throws {
    let meters = try #require(XAirSubscription(OSCMessage("/meters", [.text("/meters/1")])))
    guard case .blob(let bytes)? = Self.dialect.message(meters)?.values.first else {
      Issue.record("no blob")
      return
    }
    #expect(bytes.count == 4 + 80)
    #expect(bytes.prefix(8) == [40, 0, 0, 0, 0x00, 0xEE, 0x00, 0xEE])
    #expect(bytes.suffix(2) == [0x00, 0x80])
  }

  @Test
  func `XA-5, XA-6 a scripted app connects, sets, is told of others' changes, and gets meters`()
    async throws
  {
    let tree = ScriptedTree(Self.parameters)
    let inbox = OSCInbox()
    let mixer = try await OSCServer.start(.init(port: 0)) { inbox.take($0) }
    let surface = XAirSurface(
      tree: tree,
      dialect: XAirDialect(name: "stage"),
      inbox: inbox,
      transport: mixer,
    )
    await surface.begin()
    let target = OSCClient(address: "127.0.0.1", port: mixer.port)
    let app = try await XAirApp(target)
    let quiet = try await XAirApp(target)
    app.send("/xinfo")
    #expect(try await app.next("/xinfo").values.first == .text("127.0.0.1"))
    app.send("/xremote")
    quiet.send("/xremotenfb")
    app.send("/status")
    quiet.send("/status")
    _ = try await app.next("/status")
    _ = try await quiet.next("/status")
    tree.change("/strip/mic/gain", to: .number(-30))
    #expect(try await app.next("/ch/02/mix/fader").values == [.float(0.25)])
    #expect(try await quiet.next("/ch/02/mix/fader").values == [.float(0.25)])
    quiet.send("/ch/02/mix/fader", .float(0.5))
    #expect(try await app.next("/ch/02/mix/fader").values == [.float(0.5)])
    app.send("/ch/02/mix/fader", .float(0.75))
    #expect(try await app.next("/ch/02/mix/fader").values == [.float(0.75)], "XA-6 an echo")
    #expect(try await quiet.next("/ch/02/mix/fader").values == [.float(0.75)], "no echo of 0.5")
    app.send("/meters", .text("/meters/1"))
    _ = try await app.next("/meters/1")
    tree.change("/strip/mic/level", to: .numbers([0]))
    #expect(try await app.next("/meters/1").values.count == 1)
    #expect(tree.settings.map(\.value) == [.number(-10), .number(0)])
    await app.peer.close()
    await quiet.peer.close()
    await surface.end()
  }

  @Test func `a refused fader in the app returns`() async throws {
    let tree = ScriptedTree(Self.parameters)
    tree.refuse("/strip/mic/gain")
    let inbox = OSCInbox()
    let mixer = try await OSCServer.start(.init(port: 0)) { inbox.take($0) }
    let surface = XAirSurface(
      tree: tree,
      dialect: XAirDialect(name: "stage"),
      inbox: inbox,
      transport: mixer,
    )
    await surface.begin()
    let app = try await XAirApp(OSCClient(address: "127.0.0.1", port: mixer.port))
    app.send("/xremotenfb")
    // In this order: what is refused is answered, and by then the first one has been set.
    app.send("/ch/01/mix/fader", .float(1))
    app.send("/ch/02/mix/fader", .float(1))
    #expect(try await app.next("/ch/02/mix/fader").values == [.float(0.75)])
    #expect(tree.settings == [ParameterSetting(path: "/strip/deck%20a/gain", value: .number(10))])
    // Somebody else's equal value is news: the refused one has been forgotten.
    tree.change("/strip/mic/gain", to: .number(10))
    #expect(try await app.next("/ch/02/mix/fader").values == [.float(1)])
    await app.peer.close()
    await surface.end()
  }
}

/// A tablet app of the test.
private final class XAirApp: Sendable {
  let peer: OSCServer
  private let target: OSCClient
  private let messages: AsyncStream<OSCMessage>

  init(_ target: OSCClient) async throws {
    self.target = target
    let (messages, stream) = AsyncStream.makeStream(of: OSCMessage.self)
    self.messages = messages
    peer = try await OSCServer.start(.init(port: 0)) { arrival in
      if case .packet(.message(let message), from: _) = arrival { stream.yield(message) }
    }
  }

  func send(_ path: String, _ values: OSCValue...) {
    peer.send(.message(OSCMessage(path, values)), to: target)
  }

  /// The next message with an address; others before it are left out.
  func next(_ path: String) async throws -> OSCMessage {
    for await message in messages where message.path == path { return message }
    throw OSCError("no \(path)")
  }
}
