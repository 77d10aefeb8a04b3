// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import OSC

/// One WebSocket of OSCQuery: commands as text, OSC packets as binary frames (OQ-6, OQ-7).
///
/// The newest value of each parameter counts, however fast they come. [any-thread]
actor OSCQuerySession: WebSession {
  /// The time between two groups of changes; the first one acts at once.
  private static let pause = Duration.milliseconds(5)

  private let surface: OSCQuerySurface
  private let link: WebLink
  private var client: Int?
  private var waiting: [String: (method: OSCQueryMethod, setting: ParameterSetting)] = [:]
  private var order: [String] = []
  private var isSetting = false

  /// Makes the session of a connection.
  init(surface: OSCQuerySurface, link: WebLink) {
    self.surface = surface
    self.link = link
  }

  func opened() async { client = await surface.add(link) }

  func received(_ message: WebMessage) async {
    guard let client else { return }
    switch message {
    case .text(let text):
      guard let command = OSCQueryCommand.read(text) else { return }
      await surface.carryOut(command, for: client)
    case .binary(let bytes):
      // OSCQuery has no words for a faulty packet.
      guard let packet = try? OSCPacket(bytes: bytes) else { return }
      for change in await surface.settings(of: packet.messages, for: client) {
        if waiting.updateValue(change, forKey: change.setting.path) == nil {
          order.append(change.setting.path)
        }
      }
      begin()
    }
  }

  func closed() async {
    if let client { await surface.remove(client) }
  }

  private func begin() {
    guard !isSetting, !order.isEmpty else { return }
    isSetting = true
    Task {
      while let client, !order.isEmpty {
        let changes = order.compactMap { waiting[$0] }
        waiting = [:]
        order = []
        await surface.set(changes, for: client)
        try? await Task.sleep(for: Self.pause)
      }
      isSetting = false
    }
  }
}
