// SPDX-License-Identifier: MIT

/// What an app chose that its host need not know, or is told as it is.
struct SessionChoices: Sendable {
  var allowsHapticsWhileRecording = false
  var supportsMultichannelContent = false
  var prefersEchoCancelledInput = false
  var prefersInterruptionOnRouteDisconnect = false
  var prefersNoInterruptionsFromSystemAlerts = false
  var preferredInputOrientation = AVAudioSession.StereoOrientation.none
  var injectionMode = AVAudioSession.MicrophoneInjectionMode.none
  /// Preferred data sources by their port's uid.
  var dataSources: [String: Int] = [:]
  /// Preferred polar patterns by their port's uid and data source.
  var polarPatterns: [String: [Int: String]] = [:]
}
