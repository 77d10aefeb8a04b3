// SPDX-License-Identifier: MIT

/// The way from one capture port to one program, with a gate in it.
struct CaptureGate: Sendable, Identifiable {
  /// The name of its strip and route in the engine: `mpv_1`.
  let id: String
  /// The JACK client that hears it.
  let client: String
  /// The full name of the capture port.
  let source: String
  /// The full name of its own port that the capture port is connected to.
  let input: String
  /// The full name of its own port that the client is connected to.
  let output: String
  /// Whether the client hears what is captured, and not silence.
  var isOpen = false
}
