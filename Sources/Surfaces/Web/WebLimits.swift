// SPDX-License-Identifier: MIT

internal import NIOCore
internal import NIOHTTP1
internal import Synchronization

/// The limits of a web server for each connection and for all.
///
/// Pure value: [any-thread].
package struct WebLimits: Hashable, Sendable {
  /// The connections at once.
  package var connections = 64
  /// The connections at once from one address.
  package var connectionsPerAddress = 32
  /// The bytes of all headers of a request.
  package var headerBytes = 16_384
  /// The headers of a request.
  package var headers = 64
  /// The bytes of a message over a WebSocket; those of the longest OSC packet.
  package var messageBytes = 65_535
  /// The frames that a message may be split into.
  package var fragments = 64
  /// The bytes of received messages that wait for the site; then nothing more is read.
  package var waitingBytes = 131_072
  /// The bytes that wait for a slow reader; more of them cut it off.
  package var unreadBytes = 1_048_576
  /// The time for a request, and for reading its answer, in seconds.
  package var requestSeconds: Int64 = 10
  /// The time between two pings over a WebSocket, in seconds; a peer that is silent for three of them is cut off.
  package var pingSeconds: Int64 = 15

  /// The time in which the system of a WebSocket's peer must confirm what it is sent, in milliseconds; else the peer is cut off.
  ///
  /// TCP repeats the message of a page until the network is back. It must not move a fader so late: the connection ends before
  /// the page gives it up (1.2 s).
  package var unconfirmedMilliseconds = 1_000

  /// Makes the usual limits.
  package init() {}

  /// The part of the limits that the parser of HTTP keeps.
  var decoding: NIOHTTPDecoderLimitConfiguration {
    var decoding = NIOHTTPDecoderLimitConfiguration()
    decoding.maxHeaderFieldSize = headerBytes
    decoding.maxHeaderListSize = headerBytes
    decoding.maxHeaderFieldCount = headers
    return decoding
  }
}

/// The count of connections, in all and of each address. [any-thread]
final class WebConnections: Sendable {
  private let limits: WebLimits
  private let counts = Mutex<[String: Int]>([:])

  /// Makes a count of none.
  init(limits: WebLimits) { self.limits = limits }

  /// Counts a connection.
  ///
  /// - Returns: Whether it is within the limits; others are not counted.
  func admit(_ address: String) -> Bool {
    counts.withLock { counts in
      let ofAddress = counts[address, default: 0]
      guard ofAddress < limits.connectionsPerAddress,
        counts.values.reduce(0, +) < limits.connections
      else { return false }
      counts[address] = ofAddress + 1
      return true
    }
  }

  /// Forgets a connection that was admitted.
  func release(_ address: String) {
    counts.withLock { counts in
      let left = counts[address, default: 0] - 1
      counts[address] = left > 0 ? left : nil
    }
  }
}
