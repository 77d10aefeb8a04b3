// SPDX-License-Identifier: MIT

extension AVAudioSession {
  /// How the output is rendered; always `monoStereo` or `surround` on JACK.
  public enum RenderingMode: Int, Sendable {
    /// Not active, or no output.
    case notApplicable = 0
    /// One or two channels.
    case monoStereo = 1
    /// More channels.
    case surround = 2
    /// Spatial audio; never on JACK.
    case spatialAudio = 3
    /// Dolby Audio; never on JACK.
    case dolbyAudio = 4
    /// Dolby Atmos; never on JACK.
    case dolbyAtmos = 5
  }
}
