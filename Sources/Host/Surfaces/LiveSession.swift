// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import ControlSocket
internal import Surfaces
internal import Synchronization

/// A page's link at `/live`: a connection like those of the control socket, which also gets frames of levels. [any-thread]
final class LiveSession: WebSession, GuestWire {
  let methods: [any ControlMethod.Type] = [WebMeters.self]

  private let host: Host
  private let link: WebLink
  private let guest: ControlGuest
  private let rights: WebRights
  private let meters: LiveMeters
  private let connection = Mutex<GuestLink?>(nil)

  /// Makes the session of a page.
  ///
  /// - Parameters:
  ///   - host: The host.
  ///   - link: The sending half of its WebSocket.
  ///   - guest: The page's address and role.
  ///   - rights: The requests that the page may make.
  ///   - meters: The levels.
  init(
    host: Host,
    link: WebLink,
    guest: ControlGuest,
    rights: WebRights,
    meters: LiveMeters,
  ) {
    self.host = host
    self.link = link
    self.guest = guest
    self.rights = rights
    self.meters = meters
  }

  // MARK: - Messages of the page

  func opened() async {
    let joined = await host.run { rooms in await rooms.output.join(guest, over: self) }
    guard let joined else { return link.close() }
    connection.withLock { $0 = joined }
  }

  func received(_ message: WebMessage) async {
    guard case .text(let text) = message, let connection = connection.withLock({ $0 }) else {
      return link.close()
    }
    await connection.receive(text)
  }

  func left() { connection.withLock { $0 }?.leave() }

  func closed() async {
    meters.send(over: link, false)
    await tellHost()
    // The two hold each other.
    let ended = connection.withLock { connection in
      defer { connection = nil }
      return connection
    }
    ended?.close()
  }

  // MARK: - Messages to the page

  var waitingBytes: Int { link.waitingBytes }

  func answer(to request: ControlRequest) -> ControlReply? {
    if let error = rights.refusal(of: request) { return .failure(error) }
    guard let params = request.params(for: WebMeters.self) else { return nil }
    meters.send(over: link, params.on)
    Task { await tellHost() }
    return .success(NoResult())
  }

  func send(_ line: String) { link.send(.text(line)) }

  func close() { link.close() }

  /// Has the host read levels as often as pages show them.
  private func tellHost() async {
    let meters = meters
    await host.run { rooms in rooms.levels.pagesWatched(meters.isWatched) }
  }
}
