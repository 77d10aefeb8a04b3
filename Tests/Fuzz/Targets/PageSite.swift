// SPDX-License-Identifier: MIT

import ControlProtocol
import Synchronization

@testable import Surfaces

/// The site behind a web server under test: a page, OSCQuery, and sessions as pages have them. [any-thread]
final class PageSite: WebSite {
  /// The parameters that OSCQuery shows.
  static let namespace = OSCQueryNamespace([
    ParameterDescription(
      path: "/strip/my%20deck/gain",
      type: .number,
      minimum: -.infinity,
      maximum: 24,
      unit: "dB",
      taper: .fader,
      access: .readWrite,
      description: "the strip's fader",
      value: .number(-.infinity),
    ),
    ParameterDescription(
      path: "/route/main/alignment",
      type: .text,
      choices: ["auto", "manual"],
      access: .readWrite,
      description: "how the route is delayed",
      value: .text("auto"),
    ),
  ])

  private let page = WebPageSite(
    files: PageFiles([PageFile(name: "index.html", bytes: Array("<p>".utf8))])
  )
  private let openSessions = Atomic(0)

  /// Whether all sessions have ended.
  var isLeft: Bool { openSessions.load(ordering: .acquiring) == 0 }

  func answer(_ request: WebRequest) async -> WebResponse {
    let answer = await page.answer(request)
    guard answer.status == 404 else { return answer }
    return OSCQueryReply.response(
      to: request,
      in: Self.namespace,
      host: OSCQueryHostInfo(name: "mixer"),
    )
  }

  func session(for request: WebRequest, on link: WebLink) -> (any WebSession)? {
    guard request.path == "/live", let visitor = request.visitor else { return nil }
    openSessions.add(1, ordering: .relaxed)
    return PageSession(site: self, link: link, guest: LineGuest(rights: visitor.rights))
  }

  fileprivate func leave() { openSessions.subtract(1, ordering: .releasing) }
}

/// A session that answers each text as a line of the control socket, and ends with the first binary message. [any-thread]
private struct PageSession: WebSession {
  let site: PageSite
  let link: WebLink
  let guest: LineGuest

  func opened() async {}

  func received(_ message: WebMessage) async {
    precondition(message.byteCount <= WebConnection.limits.messageBytes, "a message is too long")
    guard case .text(let text) = message else { return link.close() }
    guard let line = guest.answer(to: Array(text.utf8)) else { return }
    link.send(.text(String(decoding: line, as: UTF8.self)))
  }

  func closed() async { site.leave() }
}
