// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import Glibc
import NIOCore
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct ClientTests {
  private func failure(
    _ body: @Sendable () async throws -> some Sendable
  ) async -> ControlClientError? {
    await #expect(throws: ControlClientError.self) { _ = try await body() }
  }

  @Test func aHostThatIsNotThereIsSaidWithThoseThatAre() async throws {
    let host = try await TestHost.start(name: "there")
    let path = host.directory.path
    let error = await failure {
      try await ControlClient.connect(to: .name("nowhere"), directory: path, clientName: "t")
    }
    #expect(error?.code == .noSuchHost)
    #expect(error?.description.contains("name one of these: there") == true)
    let badName = await failure {
      try await ControlClient.connect(to: .name("../there"), directory: path, clientName: "t")
    }
    #expect(badName?.code == .noSuchHost)
    await host.server.close()
    let none = await failure {
      try await ControlClient.connect(to: .only, directory: path, clientName: "t")
    }
    #expect(none?.code == .noSuchHost)
    #expect(none?.description.contains("no MultiRoute host is running") == true)
  }

  @Test func withSeveralHostsOneMustBeNamed() async throws {
    let host = try await TestHost.start(name: "one")
    let path = host.directory.path
    let second = try await ControlServer.start(
      ControlServerConfiguration(hostName: "two", hostVersion: "1", directory: path),
      handler: ControlRouter(),
      logger: host.log.logger,
    )
    let error = await failure {
      try await ControlClient.connect(to: .only, directory: path, clientName: "t")
    }
    #expect(error?.code == .ambiguousHost)
    #expect(error?.description.contains("one, two") == true)
    let named = try await ControlClient.connect(
      to: .name("two"),
      directory: path,
      clientName: "t"
    )
    #expect(named.host.host == "two")
    await second.close()
    await host.server.close()
  }

  @Test func aRequestThatIsTooLongIsRefusedAndTheConnectionGoesOn() async throws {
    let host = try await TestHost.start(name: "long")
    let client = try await ControlClient.connect(
      to: .name("long"),
      directory: host.directory.path,
      clientName: "t",
    )
    let params = Why.Params(app: String(repeating: "a", count: 4 << 20))
    let error = await failure { try await client.call(Why.self, params) }
    guard case .refused(let refusal) = error?.code else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(refusal.code == .tooLarge)
    // The connection answers as before, here that the test host has no such method.
    let next = await failure { try await client.call(Why.self, Why.Params(app: "a")) }
    guard case .refused = next?.code else {
      Issue.record("\(String(describing: next))")
      return
    }
    #expect(MessageEncoder.largestLineBytes == ControlServerConfiguration.Limits().lineBytes)
    await client.close()
    await host.server.close()
  }

  @Test func anAnswerThatDoesNotComeIsNotWaitedForForever() async throws {
    let host = try await TestHost.start { _ in
    } extending: {
      $0.on(GetStatus.self) { _, _ throws(ControlError) in
        // An answer that comes after all callers have given up.
        try? await Task.sleep(for: .seconds(2))
        throw ControlError(.notReady, message: "never")
      }
    }
    let client = try await host.client()
    let error = await failure {
      try await client.call(GetStatus.self, timeout: .milliseconds(30))
    }
    #expect(error?.code == .timedOut)
    #expect(error?.description.contains("status") == true)
    await host.server.close()
  }

  @Test func aCancelledCallEndsAtOnce() async throws {
    let begun = Mutex(0)
    let host = try await TestHost.start { _ in
    } extending: {
      $0.on(GetStatus.self) { _, _ throws(ControlError) in
        begun.withLock { $0 += 1 }
        // Longer than the caller waits.
        try? await Task.sleep(for: .seconds(2))
        throw ControlError(.notReady, message: "never")
      }
    }
    let client = try await host.client()
    // Before the request may have come to the host, and when it is being answered.
    for isAnswered in [false, true] {
      let before = begun.withLock { $0 }
      let call = Task { try await client.call(GetStatus.self, timeout: .seconds(3600)) }
      if isAnswered { try await eventually { begun.withLock { $0 } > before } }
      call.cancel()
      let error = await failure { try await call.value }
      #expect(error?.code == .cancelled)
    }
    await host.server.close()
  }

  @Test func aHostThatEndsEndsTheCallsAndTheNotifications() async throws {
    let begun = Mutex(false)
    let host = try await TestHost.start { _ in
    } extending: {
      $0.on(GetStatus.self) { _, _ throws(ControlError) in
        begun.withLock { $0 = true }
        // Longer than the host lives.
        try? await Task.sleep(for: .seconds(5))
        throw ControlError(.notReady, message: "never")
      }
    }
    let client = try await host.client()
    async let call = failure { try await client.call(GetStatus.self, timeout: .seconds(3600)) }
    try await eventually { begun.withLock { $0 } }
    await host.server.close()
    #expect(await call?.code == .connectionClosed)
    #expect(await client.notifications.first { _ in true } == nil)
    let later = await failure { try await client.call(Stop.self, Stop.Params()) }
    #expect(later?.code == .connectionClosed)
  }

  @Test func aListenerThatSaysNothingIsGivenUp() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/mute.sock"
    let listener = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
    defer { Glibc.close(listener) }
    let address = try SocketAddress(unixDomainSocketPath: path)
    let bound = unsafe address.withSockAddr { unsafe bind(listener, $0, socklen_t($1)) }
    #expect(bound == 0 && listen(listener, 0) == 0)
    // The first waits for an answer, the second for the first, as the queue holds one.
    for _ in 0..<2 {
      let error = await failure {
        try await ControlClient.connect(
          to: .path(path),
          clientName: "t",
          timeout: .milliseconds(50)
        )
      }
      #expect(error?.code == .timedOut)
    }
  }

  @Test func clientsMayCallManyThingsAtOnce() async throws {
    let host = try await TestHost.start()
    let client = try await host.client()
    try await withThrowingTaskGroup { group in
      for number in 0..<200 {
        group.addTask {
          let params = SetSolo.Params(strip: number == 7 ? "bad" : "\(number)", solo: true)
          _ = try? await client.call(SetSolo.self, params, timeout: .seconds(60))
        }
      }
      try await group.waitForAll()
    }
    #expect(Set(host.record.strips).count == 199)
    await host.server.close()
  }
}
