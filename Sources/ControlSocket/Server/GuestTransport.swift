// SPDX-License-Identifier: MIT

package import ControlProtocol
import NIOCore

/// The sending half of a guest's connection; its server implements it. [any-thread]
package protocol GuestWire: Sendable {
  /// The methods that a guest has beside those of the socket.
  var methods: [any ControlMethod.Type] { get }
  /// The bytes that the guest has not read yet.
  var waitingBytes: Int { get }

  /// Answers a request itself, or refuses it; nil leaves it to the host. It must not wait.
  func answer(to request: ControlRequest) -> ControlReply?
  /// Sends a line, without its newline.
  func send(_ line: String)
  /// Ends the connection; ``GuestLink/close()`` follows.
  func close()
}

/// The receiving half of a guest's connection to a host. [any-thread]
package struct GuestLink: Sendable {
  private let transport: NIOLoopBound<GuestTransport>
  private let eventLoop: any EventLoop

  /// Makes the half of a connection; call it on the server's loop.
  init(_ transport: GuestTransport, eventLoop: any EventLoop) {
    self.transport = NIOLoopBound(transport, eventLoop: eventLoop)
    self.eventLoop = eventLoop
  }

  /// Hands a message to the connection, as one line.
  ///
  /// It returns when the limits and the turns of others allow another one.
  package func receive(_ message: String) async {
    let taken = eventLoop.makePromise(of: Void.self)
    eventLoop.execute { [transport] in transport.value.receive(message, taken: taken) }
    // It cannot fail.
    try? await taken.futureResult.get()
  }

  /// Takes note that the guest has left; messages of it may still be handed over until ``close()``.
  package func leave() { eventLoop.execute { [transport] in transport.value.leave() } }

  /// Takes note that the guest has gone.
  package func close() { eventLoop.execute { [transport] in transport.value.end() } }
}

/// A connection of a guest. [server-loop]
final class GuestTransport: ControlTransport {
  /// The bytes that may wait for a guest before it gets no more levels.
  private static let behindBytes = 65_536

  let decoder: RequestDecoder

  private let wire: any GuestWire
  private var connection: Connection?
  /// Succeeds when the connection asks for more bytes.
  private var taken: EventLoopPromise<Void>?

  /// Makes the way over a wire.
  init(wire: any GuestWire, decoder: RequestDecoder) {
    self.wire = wire
    self.decoder = decoder
  }

  /// Takes the guest in.
  ///
  /// - Returns: Whether there are not too many even to tell it so.
  func begin(_ guest: ControlGuest, at hub: Hub) -> Bool {
    connection = hub.receive(self, from: .guest(guest))
    connection?.begin()
    return connection != nil
  }

  /// Takes in a message; the promise succeeds when another one may come.
  func receive(_ message: String, taken: EventLoopPromise<Void>) {
    guard let connection else { return taken.succeed() }
    self.taken = taken
    // In JSON a newline is a blank.
    connection.received(ByteBuffer(bytes: message.utf8.map { $0 == 0x0A ? 0x20 : $0 } + [0x0A]))
    connection.readingEnded()
  }

  /// Takes note that the guest has left.
  func leave() { connection?.clientLeft() }

  /// Takes note that the guest has gone.
  func end() {
    let ended = connection
    // The two hold each other.
    connection = nil
    ended?.transportClosed()
    succeed()
  }

  private func succeed() {
    taken?.succeed()
    taken = nil
  }

  // MARK: Orders of the connection

  var waitingBytes: Int { wire.waitingBytes }

  var isBehind: Bool { wire.waitingBytes > Self.behindBytes }

  func answer(to request: ControlRequest) -> ControlReply? { wire.answer(to: request) }

  func read() { succeed() }

  func send(_ line: ByteBuffer) {
    wire.send(
      String(buffer: line.getSlice(at: line.readerIndex, length: line.readableBytes - 1) ?? line)
    )
  }

  // The last answer is on its way; the connection closes a second later.
  func closeOutput() {}

  func close() {
    wire.close()
    // The end comes over the link, which may be waiting.
    succeed()
  }

  func closeWhenSent() { close() }
}
