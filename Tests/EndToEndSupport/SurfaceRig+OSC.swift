// SPDX-License-Identifier: MIT

import ControlProtocol
import OSC
import TestSupport

/// Hosts with OSC or OSCQuery.
extension SurfaceRig {
  /// A host with OSC on its port.
  static func osc() async throws -> SurfaceRig {
    try await SurfaceRig { ["--osc", "\($0)"] }
  }

  /// Waits until a parameter has a value: `oscsend` does not wait for the host.
  func waitForValue(_ path: String, _ value: ParameterValue) async throws {
    try await waitUntil("\(path) is \(value)") { try await self.value(path) == value }
  }

  /// Sends a message with liblo's program.
  func oscsend(_ words: String...) async throws {
    let child = try Child("oscsend", ["127.0.0.1", "\(port)"] + words, in: scratch)
    guard try await child.waitForEnd() == .code(0) else { throw TestFailure(child.standardError) }
  }

  /// A host with OSCQuery on its port.
  static func query(_ arguments: String...) async throws -> SurfaceRig {
    try await SurfaceRig { ["--oscquery", "\($0)"] + arguments }
  }

  /// A message in a frame of a WebSocket.
  static func frame(_ path: String, _ values: [OSCValue]) -> [UInt8] {
    WebPeer.frame(2, OSCPacket.message(OSCMessage(path, values)).bytes)
  }
}
