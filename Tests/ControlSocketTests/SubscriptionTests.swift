// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import Testing

@Suite(.timeLimit(.minutes(1))) struct SubscriptionTests {
  private func meters(_ peak: Float) -> Meters {
    Meters(time: time, strips: [], routes: [MixLevels(id: "a", peak: [peak], rms: [peak])])
  }

  @Test func eventsReachSubscribersOnlyAndInOrder() async throws {
    let host = try await TestHost.start()
    let listener = try await host.client()
    let other = try host.rawClient()
    let subscription = try await listener.call(
      Subscribe.self,
      Subscribe.Params(topics: [.events])
    )
    #expect(subscription == Subscription(topics: [.events], metersIntervalMilliseconds: nil))
    for number in 0..<100 { host.server.publish(event("\(number)")) }
    var heard = listener.notifications.makeAsyncIterator()
    for number in 0..<100 { #expect(await heard.next() == .event(event("\(number)"))) }
    await other.send(soloLine("a", id: 1))
    #expect(answeredID(await other.line()) == .integer(1))
    await host.server.close()
  }

  @Test func aConnectionIsSubscribedBeforeItsFirstCall() async throws {
    let host = try await TestHost.start()
    let listener = try await ControlClient.connect(
      to: .only,
      directory: host.directory.path,
      clientName: "t",
      role: .user,
      subscribingTo: [.events],
    )
    host.server.publish(event("first"))
    var heard = listener.notifications.makeAsyncIterator()
    #expect(await heard.next() == .event(event("first")))
    await host.server.close()
  }

  @Test func unsubscribingEndsThem() async throws {
    let host = try await TestHost.start()
    let client = try host.rawClient()
    let params = #""params":{"topics":["events","meters"]}"#
    await client.send(#"{"jsonrpc":"2.0","id":1,"method":"subscribe",\#(params)}"#)
    #expect(
      await client.line()
        == #"{"id":1,"jsonrpc":"2.0","result":{"metersIntervalMilliseconds":100,"topics":["events","meters"]}}"#
    )
    await client.send(#"{"jsonrpc":"2.0","id":2,"method":"unsubscribe",\#(params)}"#)
    #expect(
      await client.line()
        == #"{"id":2,"jsonrpc":"2.0","result":{"metersIntervalMilliseconds":null,"topics":[]}}"#
    )
    host.server.publish(event("unheard"))
    host.server.publish(meters(1))
    await client.send(soloLine("a", id: 3))
    #expect(answeredID(await client.line()) == .integer(3))
    await host.server.close()
  }

  @Test func theHandlerHearsWhatIsWanted() async throws {
    let host = try await TestHost.start()
    let quick = try await host.client()
    let slow = try await host.client()
    _ = try await slow.call(
      Subscribe.self,
      Subscribe.Params(topics: [.meters], metersIntervalMilliseconds: 500)
    )
    _ = try await quick.call(
      Subscribe.self,
      Subscribe.Params(topics: [.meters, .events], metersIntervalMilliseconds: 20)
    )
    #expect(
      host.server.demand
        == SubscriptionDemand(metersIntervalMilliseconds: 20, eventSubscribers: 1)
    )
    await quick.close()
    await slow.close()
    try await eventually { host.record.closed.count == 2 }
    #expect(
      host.record.demands == [
        SubscriptionDemand(metersIntervalMilliseconds: 500),
        SubscriptionDemand(metersIntervalMilliseconds: 20, eventSubscribers: 1),
        SubscriptionDemand(metersIntervalMilliseconds: 500),
        SubscriptionDemand(),
      ]
    )
    await host.server.close()
  }

  @Test func noPeakIsLostBetweenTwoMeters() async throws {
    let host = try await TestHost.start()
    let client = try await host.client()
    _ = try await client.call(
      Subscribe.self,
      Subscribe.Params(topics: [.meters], metersIntervalMilliseconds: 200)
    )
    let publishing = Task {
      host.server.publish(meters(0))
      host.server.publish(meters(0.9))
      while !Task.isCancelled {
        // Ten readings in each interval of a subscriber.
        try? await Task.sleep(for: .milliseconds(20))
        host.server.publish(meters(0.1))
      }
    }
    var peaks: [Float] = []
    for await case .meters(let meters) in client.notifications {
      peaks += meters.routes.flatMap(\.peak)
      if peaks.count == 3 { break }
    }
    publishing.cancel()
    #expect(peaks == [0, 0.9, 0.1])
    await host.server.close()
  }

  @Test func aHalfClosedSubscriberHearsOnUntilItLeaves() async throws {
    let host = try await TestHost.start()
    var client: RawClient? = try host.rawClient()
    await client?.send(
      #"{"jsonrpc":"2.0","id":1,"method":"subscribe","params":{"topics":["events"]}}"#
    )
    await client?.closeOutput()
    #expect(answeredID(await client?.line()) == .integer(1))
    host.server.publish(event("still here"))
    #expect(message(await client?.line()) == .notification(.event(event("still here"))))
    #expect(host.record.closed.isEmpty)
    client = nil
    try await eventually { host.record.closed.count == 1 }
    #expect(host.server.demand == SubscriptionDemand())
    await host.server.close()
  }
}
