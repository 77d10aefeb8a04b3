// SPDX-License-Identifier: MIT

import ControlProtocol
import Foundation
import Testing

@testable import Host
@testable import Surfaces

/// Keys to the page, from the requests to the file.
struct WebTokenRoomTests {
  /// The sentence with which a request is refused; nil for one that is carried out.
  private static func refusal(_ body: () async throws -> JSONValue) async throws -> String? {
    do {
      _ = try await body()
      return nil
    } catch let refusal as Refusal {
      return refusal.message
    } catch let error as ControlError {
      return error.message
    }
  }

  private static func open(_ house: House) async {
    await house.host.run { $0.webTokens.opened(["http://192.168.1.2:8080", "http://mixer:8080"]) }
  }

  @Test func `a page for this machine alone needs no key`() async throws {
    try await House.with(House.requestGraph) { house in
      let refusal = try await Self.refusal { try await house.call("makeWebToken") }
      #expect(refusal?.contains("the page is not open to other machines") == true)
      #expect(try await house.call("listWebTokens")["tokens"] == .array([]))
    }
  }

  @Test func `a key is told once, listed without its secret, and taken back`() async throws {
    try await House.with(House.requestGraph) { house in
      await Self.open(house)
      let made = try await house.call(
        "makeWebToken",
        #"{"role":"mix","route":"main","label":"Ana"}"#
      )
      guard case .array(let addresses) = made["addresses"], case .string(let address) = addresses[0]
      else {
        Issue.record("no addresses: \(made)")
        return
      }
      #expect(address.hasPrefix("http://192.168.1.2:8080/#token=") && addresses.count == 2)
      let secret = address.suffix(32)
      let status = String(decoding: try JSONEncoder().encode(await house.status), as: UTF8.self)
      let events = await house.events().map(\.message).joined()
      let listed = try await house.call("listWebTokens")
      let directory = try #require(house.host.configuration.stateDirectory)
      let file = try String(contentsOfFile: "\(directory)/web-tokens.json", encoding: .utf8)
      for text in [status, events, "\(listed)", file] { #expect(!text.contains(secret)) }
      #expect("\(listed)".contains("Ana"))
      let mode = try FileManager.default.attributesOfItem(atPath: "\(directory)/web-tokens.json")
      #expect(mode[.posixPermissions] as? Int == 0o600)
      let refusal = try await Self.refusal {
        try await house.call("revokeWebToken", #"{"id":7}"#)
      }
      #expect(refusal?.contains("there is no key 7") == true)
      let rest = try await house.call("revokeWebToken", #"{"id":1}"#)
      #expect(rest["tokens"] == .array([]))
      let written = try String(contentsOfFile: "\(directory)/web-tokens.json", encoding: .utf8)
      #expect(!written.contains("Ana"))
    }
  }

  @Test(arguments: [
    #"{"role":"mix"}"#, #"{"role":"watch","route":"main"}"#, #"{"role":"mix","route":"nowhere"}"#,
    #"{"role":"root"}"#, #"{"label":"a\nb"}"#,
    #"{"label":"\#(String(repeating: "x", count: 65))"}"#,
  ])
  func `rights and labels that make no sense are refused`(params: String) async throws {
    try await House.with(House.requestGraph) { house in
      await Self.open(house)
      let refusal = try await Self.refusal { try await house.call("makeWebToken", params) }
      let listed = try await house.call("listWebTokens")
      #expect(refusal != nil && listed["tokens"] == .array([]))
    }
  }

  @Test func `sessions outlive the host, and a damaged file lets nobody in`() async throws {
    let tokens = WebTokens(nowSeconds: { Int(Date().timeIntervalSince1970) })
    let made = try #require(tokens.make(role: .watch, label: "tablet"))
    let secret = try #require(tokens.spend(made.token.description)).description
    for (file, isGood) in [(try JSONEncoder().encode(tokens.kept), true), (Data("{".utf8), false)] {
      let house = try House(House.requestGraph)
      let directory = try #require(house.host.configuration.stateDirectory)
      defer { try? FileManager.default.removeItem(atPath: directory) }
      try FileManager.default.createDirectory(
        atPath: directory,
        withIntermediateDirectories: true
      )
      try file.write(to: URL(filePath: "\(directory)/web-tokens.json"))
      try await house.host.live()
      await house.settle()
      let visitor = await house.host.run { $0.webTokens.tokens.visitor(withSecret: secret) }
      #expect((visitor?.rights.role == .watch) == isGood)
      #expect(await house.events().contains { $0.message.contains("web-tokens.json") } != isGood)
      await house.end()
    }
  }
}
