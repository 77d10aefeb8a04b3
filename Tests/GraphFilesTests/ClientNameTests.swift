// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import GraphFiles

@Suite("Names of clients and sockets")
struct ClientNameTests {
  private static let letters = "abcxyzABCXYZ0189"

  private static func socket(_ main: String) -> String {
    ClientNames(main: main, isManaged: true).socketName
  }

  @Test(arguments: [
    "a", "Z", "0", "9", "dj", "MultiRoute.nABC-1_x", String(repeating: "x", count: 40),
  ])
  func `a socket has the client's own name where it can`(main: String) {
    #expect(Self.socket(main) == main)
  }

  @Test(arguments: [
    ("dj 1", "dj_1-"), ("(dj) 1", "dj__1-"), ("-.dj", "dj-"), ("7 é", "7___-"), ("dj/@[`{:", "dj"),
    ("", "session-"), ("...", "session-"), ("é", "session-"),
    (String(repeating: "x", count: 41), String(repeating: "x", count: 33) + "-"),
  ])
  func `any other name begins with what a socket can show of it`(main: String, start: String) {
    let socket = Self.socket(main)
    #expect(socket.hasPrefix(start) && socket != main, "\(socket)")
  }

  @Test func `names of any bytes become short, plain and different names`() {
    var random = TestSeed.random()
    let scalars = Array((Self.letters + "._-/ é(🎵@[`{:").unicodeScalars)
    let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789".unicodeScalars)
    let allowed = plain.union("._-".unicodeScalars)
    var sockets: [String: String] = [:]
    for _ in 0..<3_000 {
      var main = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 0...60, using: &random) {
        main.append(scalars.randomElement(using: &random) ?? "a")
      }
      let name = String(main)
      let socket = Self.socket(name)
      #expect((1...40).contains(socket.utf8.count))
      #expect(socket.unicodeScalars.allSatisfy(allowed.contains))
      #expect(socket.unicodeScalars.first.map(plain.contains) == true)
      #expect(sockets[socket, default: name] == name, "two clients have the socket \(socket)")
      sockets[socket] = name
    }
  }

  @Test func `a session manager's name stays whole, and its parts fit JACK`() {
    var random = TestSeed.random()
    for _ in 0..<500 {
      let main = String(repeating: "m", count: .random(in: 1...60, using: &random))
      let part = String(repeating: "p", count: .random(in: 1...40, using: &random))
      let name = ClientNames(main: main, isManaged: true).part(part)
      #expect(name.hasPrefix(main + "/") && name.utf8.count <= 63)
      if main.utf8.count + 1 + part.utf8.count <= 63 { #expect(name == "\(main)/\(part)") }
      #expect(name.utf8.count > main.utf8.count + 1)
      #expect(ClientNames(main: main).part(part) == "\(main)-\(part)")
    }
  }

  @Test func `a host is in a session once a session manager has named it`() throws {
    var graph = try GraphFile.parse(Marked.soundGraph, path: "dj.yaml", files: .everythingExists)
    #expect(graph.clientNames == ClientNames(main: graph.name))
    #expect(graph.clientNames(main: "dj-01") == ClientNames(main: "dj-01"))
    graph.takeManagedName("MultiRoute nXYZ")
    #expect(graph.clientNames == ClientNames(main: "MultiRoute nXYZ", isManaged: true))
    #expect(graph.clientNames(main: "other") == ClientNames(main: "other", isManaged: true))
    #expect(graph.name == graph.clientNames.socketName)
  }
}
