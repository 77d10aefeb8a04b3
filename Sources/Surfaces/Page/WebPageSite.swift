// SPDX-License-Identifier: MIT

/// The page in the browser: its files, and the link at `/live`. [any-thread]
package struct WebPageSite: WebSite {
  /// The policy that keeps a browser from running or loading anything that is not of this server.
  ///
  /// The SHA-256 is that of the one script inside `index.html`; a browser runs no other one there.
  static let policy = """
    default-src 'none'; script-src 'self' 'sha256-X+516QtLvrLug/2H8xTOknL5OOdrYM/u3dy+nWQpngA='; \
    style-src 'self'; img-src 'self' data:; connect-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'
    """

  private let files: PageFiles
  private let live: @Sendable (WebRequest, WebLink) -> (any WebSession)?

  /// Makes the site with the files of the program.
  ///
  /// - Parameter live: Begins a session for a link at `/live`; nil refuses it.
  package init(live: @escaping @Sendable (WebRequest, WebLink) -> (any WebSession)?) {
    self.init(files: .program, live: live)
  }

  /// Makes the site of other files.
  init(
    files: PageFiles,
    live: @escaping @Sendable (WebRequest, WebLink) -> (any WebSession)? = { _, _ in nil },
  ) {
    self.files = files
    self.live = live
  }

  package func answer(_ request: WebRequest) async -> WebResponse {
    guard let file = files[request.path], let type = file.type else {
      return .sentence("there is no such file; the page is at /", status: 404)
    }
    let headers = [
      "Content-Security-Policy": Self.policy, "Cache-Control": "no-cache", "ETag": file.mark,
    ]
    guard !request.marks.contains(where: { $0.contains(file.mark) }) else {
      return WebResponse(status: 304, type: type, body: [], headers: headers)
    }
    return WebResponse(type: type, body: file.bytes, headers: headers)
  }

  package func session(for request: WebRequest, on link: WebLink) -> (any WebSession)? {
    request.path == "/live" ? live(request, link) : nil
  }
}
