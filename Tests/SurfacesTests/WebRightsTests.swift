// SPDX-License-Identifier: MIT

import ControlProtocol
import FoundationEssentials
import Testing

@testable import Surfaces

/// The rights of visitors, method by method.
@Suite
struct WebRightsTests {
  private static let roles = [
    WebRights(role: .watch), WebRights(role: .mix, route: "monitor"), WebRights(role: .all),
  ]

  /// Whether a request passes.
  private static func passes(_ method: String, _ params: String, _ rights: WebRights) throws -> Bool
  {
    let line = #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(params)}"#
    let read = RequestDecoder(registry: .standard.adding([WebMeters.self])).decode(Data(line.utf8))
    let request = try #require(read.messages.first).request.get()
    guard let error = rights.refusal(of: request) else { return true }
    #expect(error.code == .unauthorised)
    return false
  }

  private static let reading = [
    ("hello", #"{"client":"x","versions":[1]}"#), ("status", "{}"),
    ("subscribe", #"{"topics":["events"]}"#), ("unsubscribe", #"{"topics":["events"]}"#),
    ("list", "{}"), ("get", #"{"paths":["/crossfader/position"]}"#), ("watch", #"{"paths":["/"]}"#),
    ("why", #"{"app":"x"}"#), ("session", #"{"session":"x"}"#), ("listScenes", "{}"),
    ("controllers", "{}"), ("listPatch", "{}"), ("listPermissions", "{}"),
    ("webMeters", #"{"on":true}"#),
  ]

  /// Requests of the one route's mix.
  private static let ofMonitor = [
    ("setSend", #"{"strip":"a","route":"monitor","gainDB":0}"#),
    ("setGain", #"{"strip":"a","route":"monitor","gainDB":0}"#),
    ("setGain", #"{"route":"monitor","gainDB":0}"#),
    ("setMute", #"{"strip":"a","route":"monitor","muted":true}"#),
    ("fade", #"{"route":"monitor","gainDB":0,"durationMilliseconds":5}"#),
    ("set", #"{"values":[{"path":"/strip/a/send/monitor/gain","value":0}]}"#),
    ("set", #"{"values":[{"path":"/strip/a%20b/send/%6donitor/mute","value":true}]}"#),
    ("set", #"{"values":[{"path":"/route/monitor/gain","value":0}]}"#),
  ]

  /// Requests that are of no route's mix, or of another's.
  private static let beyond = [
    ("setGain", #"{"strip":"monitor","gainDB":0}"#), ("setGain", #"{"route":"main","gainDB":0}"#),
    ("listGraphEdits", "{}"), ("apply", #"{"dryRun":true}"#),
    ("setGain", #"{"strip":"a","route":"main","gainDB":0}"#),
    ("setMute", #"{"route":"monitor","muted":true}"#), ("setMute", #"{"strip":"a","muted":true}"#),
    ("fade", #"{"strip":"a","gainDB":0,"durationMilliseconds":5}"#),
    ("setSend", #"{"strip":"monitor","route":"main","gainDB":0}"#),
    ("setSend", #"{"strip":"a","route":"Monitor","gainDB":0}"#),
    ("set", #"{"values":[{"path":"/strip/a/gain","value":0}]}"#),
    ("set", #"{"values":[{"path":"/strip/a/send/main/gain","value":0}]}"#),
    ("set", #"{"values":[{"path":"/strip/a/send/monitor/gain/","value":0}]}"#),
    ("set", #"{"values":[{"path":"//a/send/monitor/gain","value":0}]}"#),
    ("set", #"{"values":[{"path":"/permission/x","value":"granted"}]}"#),
    (
      "set",
      #"{"values":[{"path":"/route/monitor/gain","value":0},{"path":"/route/main/gain","value":0}]}"#
    ),
    ("setSolo", #"{"strip":"a","solo":true}"#), ("setCue", #"{"strip":"a","cue":true}"#),
    ("setPan", #"{"strip":"a","pan":0}"#), ("setCrossfader", #"{"position":0}"#),
    ("recallScene", #"{"scene":"a"}"#), ("stop", "{}"),
    ("connect", #"{"source":"a:b","destination":"c:d"}"#),
    ("disconnect", #"{"source":"a:b","destination":"c:d"}"#),
  ]

  @Test(arguments: reading) func `every role reads`(method: String, params: String) throws {
    for rights in Self.roles { #expect(try Self.passes(method, params, rights)) }
  }

  @Test(arguments: ofMonitor)
  func `the role mix sets one route's mix, and the role watch sets nothing`(
    method: String,
    params: String
  ) throws {
    #expect(try Self.passes(method, params, WebRights(role: .mix, route: "monitor")))
    #expect(try Self.passes(method, params, WebRights(role: .all)))
    #expect(try !Self.passes(method, params, WebRights(role: .mix, route: "main")))
    #expect(try !Self.passes(method, params, WebRights(role: .watch)))
  }

  @Test(arguments: beyond)
  func `nothing else passes`(method: String, params: String) throws {
    #expect(try !Self.passes(method, params, WebRights(role: .mix, route: "monitor")))
    #expect(try !Self.passes(method, params, WebRights(role: .watch)))
    #expect(try Self.passes(method, params, WebRights(role: .all)))
  }

  /// A method of a later version.
  private enum Tomorrow: ControlMethod {
    static let name = "tomorrow"
    typealias Params = NoParams
    typealias Result = NoResult
  }

  @Test func `a method that nobody has named is refused to all but the role all`() throws {
    let request = ControlRequest(Tomorrow.self, NoParams())
    #expect(WebRights(role: .watch).refusal(of: request)?.code == .unauthorised)
    #expect(WebRights(role: .mix, route: "monitor").refusal(of: request)?.code == .unauthorised)
    #expect(WebRights(role: .all).refusal(of: request) == nil)
  }

  @Test func `no role reads by a method that asks for a user`() throws {
    for (method, params) in Self.reading {
      let line = #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(params)}"#
      let decoder = RequestDecoder(registry: .standard.adding([WebMeters.self]))
      let request = try #require(decoder.decode(Data(line.utf8)).messages.first).request.get()
      #expect(request.access == .everybody, "\(method)")
    }
  }

  @Test(arguments: [
    ("listWebTokens", "{}"), ("makeWebToken", "{}"), ("revokeWebToken", #"{"id":1}"#),
  ])
  func `a visitor with a key lets nobody in`(method: String, params: String) throws {
    for rights in Self.roles { #expect(try !Self.passes(method, params, rights)) }
    #expect(try Self.passes(method, params, WebVisitor.user.rights))
  }
}
