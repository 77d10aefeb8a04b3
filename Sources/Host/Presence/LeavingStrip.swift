// SPDX-License-Identifier: MIT

internal import JACK

/// A strip that the audio thread may still use, with what is to be given back after it.
struct LeavingStrip {
  /// The arrangement without the strip: once it is in use, nobody needs the rest.
  let tag: UInt64
  let id: String
  let ports: [AudioInputPort]
  let gates: [InputGateCell]
}
