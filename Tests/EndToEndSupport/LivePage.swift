// SPDX-License-Identifier: MIT

import TestSupport

/// A page's link to a host, without the page.
struct LivePage {
  let peer: WebPeer

  init(_ rig: SurfaceRig) async throws {
    peer = try await WebPeer.webSocket(port: rig.port, target: "/live")
  }

  func send(_ id: Int, _ method: String, _ params: String = "{}") async {
    let text = #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"#
    await peer.write(WebPeer.frame(1, Array(text.utf8)))
  }

  /// The next text that contains a part; frames of levels and other texts are passed over.
  func text(with part: String) async -> String? {
    while let message = await peer.message() {
      let text = String(decoding: message.payload, as: UTF8.self)
      if message.opcode == 1, text.contains(part) { return text }
      if message.opcode == 8 { return nil }
    }
    return nil
  }

  /// The answer to a request.
  func answer(_ id: Int, _ method: String, _ params: String = "{}") async -> String? {
    await send(id, method, params)
    return await text(with: "\"id\":\(id)")
  }

  /// Whether the host has ended the link.
  func hasEnded() async -> Bool {
    while let message = await peer.message() {
      if message.opcode == 8 { return true }
    }
    return peer.hasEnded
  }
}

extension SurfaceRig {
  /// A host that serves the page on its port.
  static func web(_ arguments: String...) async throws -> SurfaceRig {
    try await SurfaceRig { ["--web", "\($0)"] + arguments }
  }
}
