// SPDX-License-Identifier: MIT

internal import OSC
internal import Synchronization

/// Packets that have arrived and wait for the surface, folded to the latest value of each address.
///
/// A flood of messages for some addresses takes no more room than one message for each. [any-thread]
final class OSCInbox: Sendable {
  /// Something that waits.
  enum Entry: Sendable {
    /// A packet that acts now.
    case packet(OSCPacket, from: OSCClient)
    /// A packet that could not be read.
    case fault(OSCError, from: OSCClient)
    /// A connection that has ended.
    case closed(OSCClient)
  }

  private struct Place: Hashable {
    var address: String
    var client: OSCClient
  }

  private struct State {
    var entries: [Entry] = []
    /// Where the latest number for an address waits; an entry that must keep its order empties it.
    var places: [Place: Int] = [:]
    var lost = 0
  }

  /// The most entries that wait.
  static let limit = 4_096

  /// Something has come in; for one reader.
  let wakes: AsyncStream<Void>

  private let state = Mutex(State())
  private let wake: AsyncStream<Void>.Continuation

  /// Makes an empty inbox.
  init() {
    (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Takes in something; it is dropped and counted if too much waits already.
  func take(_ arrival: OSCArrival) {
    switch arrival {
    case .packet(let packet, let client): add(packet, from: client)
    case .fault(let fault, let client): add(.fault(fault, from: client))
    case .closed(let client): add(.closed(client))
    }
    wake.yield()
  }

  private func add(_ packet: OSCPacket, from client: OSCClient) {
    guard case .message(let message) = packet, message.isNumber else {
      add(.packet(packet, from: client))
      return
    }
    let place = Place(address: message.path, client: client)
    state.withLock { state in
      if let index = state.places[place] {
        state.entries[index] = .packet(packet, from: client)
      } else if state.entries.count < Self.limit {
        state.places[place] = state.entries.count
        state.entries.append(.packet(packet, from: client))
      } else {
        state.lost += 1
      }
    }
  }

  private func add(_ entry: Entry) {
    state.withLock { state in
      guard state.entries.count < Self.limit else {
        state.lost += 1
        return
      }
      state.places = [:]
      state.entries.append(entry)
    }
  }

  /// Removes and gives all that waits, and the number of packets that were dropped since the last call.
  func drain() -> (entries: [Entry], lost: Int) {
    state.withLock { state in
      defer { state = State() }
      return (state.entries, state.lost)
    }
  }

  /// Ends ``wakes``.
  func close() { wake.finish() }
}

extension OSCMessage {
  /// Whether only the latest of several such messages counts.
  fileprivate var isNumber: Bool {
    switch values.first {
    case .float, .double, .integer, .long, .flag: values.count == 1
    default: false
    }
  }
}
