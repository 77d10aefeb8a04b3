// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import FoundationEssentials
import Testing

@Suite(.timeLimit(.minutes(1))) struct ConversationTests {
  @Test func helloTellsWhoIsWho() async throws {
    let host = try await TestHost.start(name: "dj-1")
    let client = try await host.client()
    #expect(client.host.host == "dj-1")
    #expect(client.host.hostVersion == "1.2.3")
    #expect(client.host.version == ProtocolVersion.current)
    #expect(client.host.pid == ProcessInfo.processInfo.processIdentifier)
    #expect(client.host.capabilities == MethodRegistry.standard.names)
    await host.server.close()
  }

  @Test func aVersionThatIsNotSharedIsRefusedByName() async throws {
    let host = try await TestHost.start()
    let client = try await host.client()
    let error = await #expect(throws: ControlClientError.self) {
      try await client.call(Hello.self, Hello.Params(client: "old", versions: [0, 99]))
    }
    #expect(error?.code == .versionMismatch)
    #expect(error?.description.contains("[1]") == true)
    await host.server.close()
  }

  @Test func requestsAreCarriedOutInOrder() async throws {
    let host = try await TestHost.start()
    let client = try host.rawClient()
    let names = ["slow", "a", "slow", "b", "c"]
    for (id, name) in names.enumerated() { await client.send(soloLine(name, id: id)) }
    for id in names.indices {
      #expect(answeredID(await client.line()) == .integer(Int64(id)))
    }
    #expect(host.record.strips == names)
    await host.server.close()
  }

  @Test func aSlowRequestHoldsUpNobodyElse() async throws {
    let host = try await TestHost.start()
    let slow = try host.rawClient()
    await slow.send(soloLine("held", id: 1))
    try await eventually { host.record.begun == ["held"] }
    let quick = try await host.client()
    _ = try await quick.call(SetSolo.self, SetSolo.Params(strip: "quick", solo: true))
    #expect(host.record.strips == ["quick"])
    host.record.release()
    try await eventually { host.record.strips == ["quick", "held"] }
    await host.server.close()
  }

  @Test func theHandlersErrorsReachTheClient() async throws {
    let host = try await TestHost.start()
    let client = try await host.client()
    let error = await #expect(throws: ControlClientError.self) {
      try await client.call(SetSolo.self, SetSolo.Params(strip: "bad", solo: true))
    }
    #expect(error?.code == .refused(.unknownStrip("bad", known: ["a", "slow"])))
    let other = await #expect(throws: ControlClientError.self) {
      try await client.call(GetStatus.self)
    }
    guard case .refused(let refusal) = other?.code else {
      Issue.record("\(other as Any)")
      return
    }
    #expect(refusal.code == .methodNotFound)
    await host.server.close()
  }

  @Test func aNotificationIsCarriedOutAndNotAnswered() async throws {
    let host = try await TestHost.start()
    let client = try host.rawClient()
    await client.send(
      #"{"jsonrpc":"2.0","method":"setSolo","params":{"strip":"n","solo":true}}"#
    )
    await client.send(soloLine("after", id: 9))
    #expect(answeredID(await client.line()) == .integer(9))
    #expect(host.record.strips == ["n", "after"])
    await host.server.close()
  }

  @Test func aBatchIsAnsweredByOneArray() async throws {
    let host = try await TestHost.start()
    let client = try host.rawClient()
    let batch = [
      soloLine("a", id: 1), "7", #"{"jsonrpc":"2.0","method":"stop"}"#, soloLine("bad", id: 2),
      #"{"jsonrpc":"2.0","id":3,"method":"subscribe","params":{"topics":[]}}"#,
    ]
    await client.send("[" + batch.joined(separator: ",") + "]")
    let line = try #require(await client.line())
    let answers = try JSONDecoder().decode([JSONValue].self, from: Data(line.utf8))
    let texts = try answers.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
    #expect(texts.map(answeredID) == [.integer(1), nil, .integer(2), .integer(3)])
    #expect(texts.map(errorCode) == [nil, .invalidRequest, .unknownStrip, nil])
    await client.send("[" + #"{"jsonrpc":"2.0","method":"stop"}"# + "]")
    await client.send(soloLine("b", id: 4))
    #expect(answeredID(await client.line()) == .integer(4))
    await host.server.close()
  }

  @Test func aScriptThatSendsAndHalfClosesGetsItsAnswers() async throws {
    let host = try await TestHost.start()
    let client = try host.rawClient()
    let lines = "\n \r\n" + soloLine("slow", id: 1) + "\r\n" + soloLine("last", id: 2)
    await client.send(bytes: Array(lines.utf8))
    await client.closeOutput()
    #expect(await client.remainingLines().map(answeredID) == [.integer(1), .integer(2)])
    try await eventually { host.record.closed.count == 1 }
    await host.server.close()
  }

  @Test func aScriptThatSendsAndLeavesIsObeyed() async throws {
    let host = try await TestHost.start()
    var client: RawClient? = try host.rawClient()
    await client?.send(soloLine("slow", id: 1) + "\n" + soloLine("b", id: 2))
    client = nil
    try await eventually { host.record.closed.count == 1 }
    #expect(host.record.strips == ["slow", "b"])
    await host.server.close()
  }

  @Test func bytesMayComeOneByOne() async throws {
    let host = try await TestHost.start()
    let client = try host.rawClient()
    for byte in Array((soloLine("ü", id: 5) + "\n").utf8) { await client.send(bytes: [byte]) }
    #expect(answeredID(await client.line()) == .integer(5))
    #expect(host.record.strips == ["ü"])
    await host.server.close()
  }
}
