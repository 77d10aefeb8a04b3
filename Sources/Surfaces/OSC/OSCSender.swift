// SPDX-License-Identifier: MIT

internal import OSC

/// The way out of an OSC surface: at most one packet for each client in a millisecond.
actor OSCSender {
  private let transport: any OSCTransport
  private var outbox: OSCOutbox
  private var faults = OSCFaultPace()
  private var isSending = false
  private var hasEnded = false

  /// Makes a sender for a transport.
  ///
  /// - Parameters:
  ///   - transport: The way to the clients.
  ///   - bundles: Whether the clients know bundles.
  init(_ transport: any OSCTransport, bundles: Bool = true) {
    self.transport = transport
    outbox = OSCOutbox(bundles: bundles)
  }

  /// Sends messages soon, the latest of each address.
  func send(_ messages: [OSCMessage], to client: OSCClient) {
    for message in messages { outbox.add(message, to: client) }
    guard !isSending, !outbox.isEmpty, !hasEnded else { return }
    isSending = true
    Task { [weak self] in
      while await self?.sendNext() == true { try? await Task.sleep(for: .milliseconds(1)) }
    }
  }

  private func sendNext() -> Bool {
    for (packet, client) in outbox.next() { transport.send(packet, to: client) }
    isSending = !outbox.isEmpty && !hasEnded
    return isSending
  }

  /// Answers a faulty packet, unless there were many within a second.
  func complain(_ fault: OSCError, about path: String, to client: OSCClient) {
    guard faults.allowsAnother(now: .now) else { return }
    let message = OSCMessage("/error", [.text(path), .text(fault.description)])
    transport.send(.message(message), to: client)
  }

  /// Forgets all that waits for a client.
  func forget(_ client: OSCClient) { outbox.forget(client) }

  /// Closes the port.
  func end() async {
    hasEnded = true
    await transport.close()
  }
}

/// The ports to which clients want their answers, where these are not the ports that they send from (OSC-12).
///
/// Pure value: [any-thread].
struct OSCPorts: Sendable {
  private var ports: [OSCClient: Int] = [:]

  /// Notes the port of a client.
  ///
  /// - Throws: ``OSCError`` for one client too many.
  mutating func set(_ port: Int, for client: OSCClient) throws(OSCError) {
    guard ports[client] != nil || ports.count < OSCOutbox.clientLimit else {
      throw OSCError("\(ports.count) clients have named their ports; that is the most")
    }
    ports[client] = port == client.port ? nil : port
  }

  /// The place for the answers to a client.
  ///
  /// - Parameters:
  ///   - client: The sender of a message.
  ///   - port: The port that the message names; nil without one.
  /// - Returns: The address and port to send to.
  func receiver(for client: OSCClient, port: Int? = nil) -> OSCClient {
    guard client.connection == nil, let port = port ?? ports[client] else { return client }
    return OSCClient(address: client.address, port: port)
  }
}
