// SPDX-License-Identifier: MIT

import ControlProtocol
import Foundation
import TestSupport
import Testing

@testable import EndToEndSupport

/// Attacks on the web page of a real host, from another machine and through a browser on this one.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct WebAttackTests {
  /// A host whose page is open to a second machine.
  private struct Rig {
    let machine: SecondMachine
    let surface: SurfaceRig

    init() async throws {
      machine = try await SecondMachine()
      surface = try await SurfaceRig { ["--web", "\($0)", "--lan"] }
    }

    var port: Int { surface.port }
    var page: String { "http://\(machine.hostAddress):\(port)" }

    /// Runs `multiroute web tokens`.
    func tokens(_ words: String...) async throws -> Multiroute.Output {
      let words = ["web", "tokens"] + words + ["--host", surface.host.name]
      return try await Multiroute.run(words, in: surface.scratch)
    }

    /// Makes a key.
    func key(_ options: String...) async throws -> (id: Int, token: String) {
      let words = ["web", "tokens", "make", "--json", "--host", surface.host.name] + options
      let made = try await Multiroute.run(words, in: surface.scratch)
      let result = try JSONDecoder().decode(
        MakeWebToken.Result.self,
        from: Data(made.standardOutput.utf8)
      )
      let address = try #require(result.addresses.first { $0.hasPrefix(page + "/#token=") })
      return (result.id, String(address.suffix(32)))
    }

    /// The answer to a request from the second machine.
    func ask(
      _ target: String,
      method: String = "GET",
      host: String? = nil,
      _ headers: String...,
    ) async throws -> (status: Int, head: String, body: String) {
      try await WebPeer.get(
        target,
        port: port,
        from: machine,
        method: method,
        host: host,
        headers: headers,
      )
    }

    /// The answer to a key.
    func logIn(_ token: String, _ headers: String...) async throws -> Int {
      try await ask("/login", method: "POST", "Authorization: Bearer \(token)").status
    }

    /// Logs in, and returns the header of the cookie.
    func cookie(_ token: String) async throws -> String {
      let answer = try await ask("/login", method: "POST", "Authorization: Bearer \(token)")
      let line = answer.head.split(separator: "\r\n").first { $0.hasPrefix("Set-Cookie: ") }
      let cookie = try #require(line, "\(answer)").dropFirst("Set-Cookie: ".count)
      return "Cookie: " + cookie.prefix { $0 != ";" }
    }
  }

  @Test(.jackServer(frames: 256, channels: 4))
  func `a missing, wrong, used or revoked key opens nothing`() async throws {
    let rig = try await Rig()
    #expect(try await rig.ask("/").status == 200)
    #expect(try await rig.ask("/me").status == 401)
    #expect(try await rig.ask("/login", method: "POST").status == 401)
    #expect(try await rig.logIn(String(repeating: "0", count: 32)) == 401)
    let used = try await rig.key("--role", "watch", "--label", "phone")
    let cookie = try await rig.cookie(used.token)
    #expect(try await rig.ask("/me", cookie).body.contains(#""role":"watch""#))
    #expect(try await rig.logIn(used.token) == 401)
    #expect(try await rig.ask("/me", "Authorization: Bearer \(used.token)").status == 401)
    #expect(try await rig.ask("/me?token=\(used.token)").status == 401)
    let unused = try await rig.key()
    #expect(try await rig.tokens("list").standardOutput.contains("watch  phone"))
    for id in [used.id, unused.id] {
      #expect(try await rig.tokens("revoke", "\(id)").end == .code(0))
    }
    #expect(try await rig.ask("/me", cookie).status == 401)
    #expect(try await rig.logIn(unused.token) == 401)
    #expect(try await rig.tokens("revoke", "\(used.id)").end == .code(65))
    let name = rig.surface.host.name
    let shown = try await Multiroute.run(
      "status",
      "--json",
      "--host",
      name,
      in: rig.surface.scratch
    )
    let output = shown.standardOutput + rig.surface.host.child.standardOutput
    for secret in [used.token, unused.token] { #expect(!output.contains(secret)) }
    #expect(try await rig.surface.host.stop() == .code(0))
  }

  @Test(.jackServer(frames: 256, channels: 4))
  func `a foreign Host and a foreign Origin are refused, on the same connection too`()
    async throws
  {
    let rig = try await Rig()
    let cookie = try await rig.cookie(try await rig.key().token)
    #expect(try await rig.ask("/me", cookie, "Origin: \(rig.page)").status == 200)
    for origin in ["http://evil.example", "null", "http://\(rig.machine.address):\(rig.port)"] {
      #expect(try await rig.ask("/me", cookie, "Origin: \(origin)").status == 403)
      #expect(
        try await rig.ask("/live", cookie, "Origin: \(origin)", "Upgrade: websocket").status == 403
      )
    }
    // A name that is bound anew reaches this machine under the attacker's own Host, by name or by number.
    for host in ["rebound.example", rig.machine.address, "localhost", "127.0.0.1", "0.0.0.0"] {
      #expect(try await rig.ask("/me", host: "\(host):\(rig.port)", cookie).status == 403)
      let here = try await WebPeer.get("/me", port: rig.port, host: "\(host):\(rig.port)")
      #expect(here.status == (["localhost", "127.0.0.1"].contains(host) ? 200 : 403), "\(host)")
    }
    let peer = try WebPeer(port: rig.port)
    func ask(_ host: String) async throws -> Int {
      await peer.write(Array("GET /me HTTP/1.1\r\nHost: \(host):\(rig.port)\r\n\r\n".utf8))
      return try await peer.answer().status
    }
    #expect(try await ask("localhost") == 200)
    #expect(try await ask("rebound.example") == 403)
    await #expect(throws: TestFailure.self) { try await ask("localhost") }
    #expect(try await rig.surface.host.stop() == .code(0))
  }

  @Test(.jackServer(frames: 256, channels: 4))
  func `a role is not exceeded over the link, and a key that is taken back closes it`() async throws
  {
    let rig = try await Rig()
    let key = try await rig.key("--role", "mix", "--route", "phones")
    let cookie = try await rig.cookie(key.token)
    func link(_ headers: String...) async throws -> WebPeer {
      try await WebPeer.webSocket(
        port: rig.port,
        from: rig.machine,
        target: "/live",
        headers: headers,
      )
    }
    await #expect(throws: TestFailure.self) { try await link() }
    let peer = try await link(cookie, "Origin: \(rig.page)")
    func answer(_ method: String, _ params: String) async -> String {
      let text = #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(params)}"#
      await peer.write(WebPeer.frame(1, Array(text.utf8)))
      return await peer.message().map { String(decoding: $0.payload, as: UTF8.self) } ?? "nothing"
    }
    #expect(await answer("status", "{}").contains("result"))
    let send = #"{"strip":"toy","route":"phones","gainDB":-6}"#
    #expect(await answer("setSend", send).contains("result"))
    let refused = "\"code\":\(ControlErrorCode.unauthorised.rawValue)"
    for (method, params) in [
      ("setGain", #"{"strip":"deck","gainDB":-6}"#), ("setGain", #"{"route":"main","gainDB":-6}"#),
      ("setSend", #"{"strip":"deck","route":"main","gainDB":-6}"#),
      ("set", #"{"values":[{"path":"/strip/deck/gain","value":-6}]}"#),
      ("setMute", #"{"strip":"deck","muted":true}"#), ("stop", "{}"), ("makeWebToken", "{}"),
      ("listWebTokens", "{}"), ("setPermission", #"{"program":"mpv","permission":"granted"}"#),
    ] {
      let text = await answer(method, params)
      #expect(text.contains(refused), "\(method): \(text)")
    }
    let gain = try await rig.surface.value("/strip/deck/gain")
    let sent = try await rig.surface.value("/strip/toy/send/phones/gain")
    #expect(gain == .number(0) && sent == .number(-6))
    let revoked = try await rig.tokens("revoke", "\(key.id)")
    #expect(revoked.end == .code(0))
    let last = await peer.message()
    #expect(last == nil || last?.opcode == 8)
    await #expect(throws: TestFailure.self) { try await link(cookie) }
    let end = try await rig.surface.host.stop()
    #expect(end == .code(0))
  }

  @Test(.jackServer(frames: 256, channels: 4))
  func `a program of another user on this machine is a stranger`() async throws {
    let surface = try await SurfaceRig { ["--web", "\($0)"] }
    let me = "http://localhost:\(surface.port)/me"
    let ask = ["curl", "--silent", "--include", "--ipv4", me]
    let own = try await runProgram("env", ask)
    #expect(own.output.contains(" 200 OK"), "\(own)")
    let nobody = ["--reuid=65534", "--regid=65534", "--clear-groups"]
    let foreign = try await runProgram("setpriv", nobody + ask)
    #expect(foreign.output.contains(" 401 Unauthorized"), "\(foreign)")
    #expect(try await surface.host.stop() == .code(0))
  }
}
