// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import ControlSocket
internal import Glibc
internal import Surfaces

extension Host {
  /// Answers the requests about keys to the web page. [any-thread]
  nonisolated func registerWebTokens(on router: ControlRouter) -> ControlRouter {
    router
      .on(ListWebTokens.self) { _, _ in await self.run { $0.webTokens.list } }
      .on(MakeWebToken.self) { params, _ throws(ControlError) in
        try await self.run { rooms throws(ControlError) in
          if let route = params.route { try rooms.mix.check(.route(route)) }
          return try await rooms.webTokens.make(params)
        }
      }
      .on(RevokeWebToken.self) { params, _ throws(ControlError) in
        try await self.run { rooms throws(ControlError) in
          try await rooms.webTokens.revoke(params.id)
        }
      }
  }
}

/// The keys to the web page, kept with the host's state.
///
/// Belongs to the control thread.
final class WebTokenRoom {
  private let control: Control
  private let file: KeptFile?
  private var keys: WebTokens?
  /// The page's addresses for other machines, such as `https://192.168.1.2:8080`; empty while it is not open to them.
  private var pages: [String] = []
  /// The latest change of the file.
  private var writing: Task<String?, Never>?

  /// Makes a room without keys; they are read when the first one is asked for.
  ///
  /// - Parameters:
  ///   - directory: The directory of the host's state; nil where nothing can be kept.
  ///   - control: The services that all rooms share.
  init(directory: String?, control: Control) {
    self.control = control
    file = directory.map { KeptFile(directory: $0, name: "web-tokens.json") }
  }

  /// The keys, for the door of the page.
  var tokens: WebTokens {
    if let keys { return keys }
    let handle = control.handle(to: self)
    let read = WebTokens(kept: kept(), nowSeconds: { time(nil) }) {
      handle { room in room.write() }
    }
    keys = read
    return read
  }

  /// Notes that the page is open to other machines.
  ///
  /// - Parameter pages: Its addresses, each without a slash at its end.
  func opened(_ pages: [String]) { self.pages = pages }

  /// Whether the page is open to other machines.
  var isOpen: Bool { !pages.isEmpty }

  /// Gives the routes of keys other names, also of keys to a page that is not served now.
  func rename(routes names: [String: String]) { if !names.isEmpty { tokens.rename(routes: names) } }

  // MARK: - Requests

  /// The keys that can still be used.
  var list: WebTokenList { tokens.list }

  /// Makes a key, and answers once it is on the disk.
  ///
  /// - Throws: `refused` while the page is not open to other machines, and for one key too many.
  func make(_ params: MakeWebToken.Params) async throws(ControlError) -> MakeWebToken.Result {
    guard !pages.isEmpty else {
      throw ControlError(
        .refused,
        place: "makeWebToken",
        fault: "the page is not open to other machines, and this machine needs no key",
        allowed: "a host with 'surfaces: {web: {lan: true}}' or the options '--web --lan'",
      )
    }
    let role = params.role ?? .all
    guard let made = tokens.make(role: role, route: params.route, label: params.label ?? "") else {
      throw ControlError(
        .refused,
        place: "makeWebToken",
        fault: "there are \(WebTokens.limit) keys",
        allowed: "\(WebTokens.limit); take one of them back",
      )
    }
    await written("The key is good until the host ends")
    return MakeWebToken.Result(
      id: made.id,
      addresses: pages.map { "\($0)/#token=\(made.token)" },
      expiresSeconds: made.expiresSeconds,
    )
  }

  /// Takes a key back, closes its connections, and answers once that is on the disk.
  ///
  /// - Throws: `badValue` for a number that no key has.
  func revoke(_ id: Int) async throws(ControlError) -> WebTokenList {
    guard tokens.revoke(id) else {
      let ids = list.tokens.map { "\($0.id)" }
      throw ControlError(
        .badValue,
        place: "id",
        fault: "there is no key \(id)",
        allowed: ids.isEmpty ? "none; there are no keys" : ids.joined(separator: ", "),
      )
    }
    await written("The key is taken back until the host ends")
    return list
  }

  // MARK: - The file

  private func kept() -> WebTokens.Kept {
    guard let file else { return WebTokens.Kept() }
    do throws(KeptFile.Fault) {
      guard let read = try file.read(WebTokens.Kept.self) else { return WebTokens.Kept() }
      let format = read.value.multirouteWebTokens
      if format == 1 { return read.value }
      control.publish(
        .error(),
        file.setAside("it has format \(format), made by a newer version")
      )
    } catch {
      control.publish(.error(), file.setAside(error.description))
    }
    return WebTokens.Kept()
  }

  /// Waits until the file has the present keys; a fault is reported.
  private func written(_ consequence: String) async {
    write()
    if let fault = await writing?.value { control.publish(.error(), "\(fault). \(consequence)") }
  }

  /// Writes the file after the changes before.
  private func write() {
    guard let file, let keys else { return }
    let before = writing
    writing = Task.detached {
      _ = await before?.value
      do throws(KeptFile.Fault) {
        try await file.replaceElsewhere(with: keys.kept)
        return nil
      } catch {
        return error.description
      }
    }
  }
}
