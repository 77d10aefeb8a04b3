// SPDX-License-Identifier: MIT

public import Foundation

/// What a Bluetooth microphone can do beyond the usual; no port on JACK has one.
open class AVAudioSessionPortExtensionBluetoothMicrophone: NSObject, @unchecked Sendable {
  /// High-quality recording.
  open var highQualityRecording: AVAudioSessionCapability { AVAudioSessionCapability() }

  /// Far-field capture.
  open var farFieldCapture: AVAudioSessionCapability { AVAudioSessionCapability() }
}
