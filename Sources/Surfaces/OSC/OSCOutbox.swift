// SPDX-License-Identifier: MIT

internal import OSC

/// Messages that wait to be sent, the latest of each address for each client.
///
/// They leave in packets that fit into one datagram, at most one packet for a client at a time, because bursts are lost on
/// Wi-Fi (OSC-20). Pure value: [any-thread].
struct OSCOutbox: Sendable {
  private struct Queue: Sendable {
    var order: [String] = []
    var messages: [String: OSCMessage] = [:]
  }

  /// The bytes of a packet that are not exceeded while it has several messages.
  static let packetBytes = 1_200
  /// The most clients for which messages wait.
  static let clientLimit = 128
  /// The most addresses that wait for one client.
  static let messageLimit = 16_384

  private var queues: [OSCClient: Queue] = [:]
  private let packetBytes: Int

  /// Makes an empty outbox.
  ///
  /// - Parameter bundles: Whether a packet may have several messages.
  init(bundles: Bool = true) { packetBytes = bundles ? Self.packetBytes : 0 }

  /// Whether nothing waits.
  var isEmpty: Bool { queues.isEmpty }

  /// Takes in a message; one for the same address that still waits is replaced.
  mutating func add(_ message: OSCMessage, to client: OSCClient) {
    guard queues[client] != nil || queues.count < Self.clientLimit else { return }
    var queue = queues.removeValue(forKey: client) ?? Queue()
    let key = message.foldingKey
    if queue.messages.count < Self.messageLimit || queue.messages[key] != nil {
      if queue.messages.updateValue(message, forKey: key) == nil { queue.order.append(key) }
    }
    queues[client] = queue
  }

  /// Forgets all that waits for a client.
  mutating func forget(_ client: OSCClient) { queues[client] = nil }

  /// Removes and gives the next packet for each client.
  mutating func next() -> [(packet: OSCPacket, client: OSCClient)] {
    queues.keys.sorted { ($0.address, $0.port) < ($1.address, $1.port) }.map { client in
      (packet(for: client), client)
    }
  }

  private mutating func packet(for client: OSCClient) -> OSCPacket {
    var queue = queues[client] ?? Queue()
    var messages: [OSCPacket] = []
    var bytes = 16
    var taken = 0
    for path in queue.order {
      guard let message = queue.messages[path] else { continue }
      bytes += 4 + message.leastBytes
      if !messages.isEmpty, bytes > packetBytes || messages.count == OSCLimits.elements - 1 {
        break
      }
      messages.append(.message(message))
      queue.messages[path] = nil
      taken += 1
    }
    queue.order.removeFirst(taken)
    queues[client] = queue.order.isEmpty ? nil : queue
    return messages.count == 1 ? messages[0] : .bundle(OSCBundle(messages))
  }
}

extension OSCMessage {
  /// The address of which only the latest message counts; an X-Air mixer's nodes have theirs in the text (XA-8).
  fileprivate var foldingKey: String {
    guard path == "node", let text = values.first?.text else { return path }
    return "node \(text.prefix { $0 != " " })"
  }

  /// The size of the message, to within a few bytes.
  fileprivate var leastBytes: Int {
    let values = values.reduce(0) { bytes, value in
      switch value {
      case .text(let text), .symbol(let text): bytes + text.utf8.count + 4
      case .blob(let blob): bytes + blob.count + 8
      default: bytes + 8
      }
    }
    return path.utf8.count + 8 + self.values.count + values
  }
}
