// SPDX-License-Identifier: MIT

/// What the audio thread has to tell; see ``MixEngine/collect()``.
///
/// Frames count as in the renderer's `atFrame`: the frame of the mix at which it happened. A route
/// with look-ahead is that much later.
public enum MixEvent: Sendable, Equatable {
  /// A new arrangement of strips and routes is in use.
  ///
  /// - Parameters:
  ///   - tag: What ``MixEngine/apply(_:fade:tag:)`` was given.
  ///   - frame: The first frame rendered with it.
  case planAdopted(tag: UInt64, frame: UInt64)

  /// A strip's gate has closed.
  ///
  /// - Parameters:
  ///   - strip: The strip's id.
  ///   - firstSilentFrame: From this frame on, the strip is exact silence on all routes.
  ///   - reportID: What ``MixEngine/setGate(strip:isOpen:fade:reportID:)`` was given.
  case gateClosed(strip: String, firstSilentFrame: UInt64, reportID: UInt32)

  /// A strip's gate is fully open again.
  ///
  /// - Parameters:
  ///   - strip: The strip's id.
  ///   - frame: From this frame on, the gate is exact unity.
  ///   - reportID: What ``MixEngine/setGate(strip:isOpen:fade:reportID:)`` was given.
  case gateOpened(strip: String, frame: UInt64, reportID: UInt32)

  /// A ramp that was given a report id has landed.
  ///
  /// - Parameters:
  ///   - reportID: What the setter was given.
  ///   - frame: From this frame on, the target holds exactly.
  case rampFinished(reportID: UInt32, frame: UInt64)
}
