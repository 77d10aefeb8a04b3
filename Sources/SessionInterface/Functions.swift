// SPDX-License-Identifier: MIT

internal import AudioSession
internal import Foundation

// The functions of multiroute_session.h, which documents them.

@c(mr_session_set_category)
func setCategory(
  _ category: UnsafePointer<CChar>?,
  _ mode: UnsafePointer<CChar>?,
  _ options: UInt32,
) -> Int32 {
  let names = unsafe (
    category.map { unsafe String(cString: $0) }, mode.map { unsafe String(cString: $0) }
  )
  return LastError.catching {
    try AVAudioSession.sharedInstance().setCategory(
      AVAudioSession.Category(rawValue: symbol("AVAudioSessionCategory", names.0 ?? "")),
      mode: AVAudioSession.Mode(rawValue: symbol("AVAudioSessionMode", names.1 ?? "default")),
      options: AVAudioSession.CategoryOptions(rawValue: UInt(options)),
    )
  }
}

@c(mr_session_set_preferred)
func setPreferred(_ sampleRateHz: Double, _ ioBufferSeconds: Double) -> Int32 {
  LastError.catching {
    let session = AVAudioSession.sharedInstance()
    if !(sampleRateHz < 0) { try session.setPreferredSampleRate(sampleRateHz) }
    if !(ioBufferSeconds < 0) { try session.setPreferredIOBufferDuration(ioBufferSeconds) }
  }
}

@c(mr_session_set_ports)
func setPorts(_ ports: UnsafePointer<CChar>?, _ channels: Int32) -> Int32 {
  let pattern = unsafe ports.map { unsafe String(cString: $0) }
  return LastError.catching {
    try AVAudioSession.sharedInstance().setOutputPorts(
      pattern.map { [$0] } ?? [],
      channels: Int(channels),
    )
  }
}

@c(mr_session_activate)
func activate() -> Int32 {
  LastError.catching { try AVAudioSession.sharedInstance().setActive(true) }
}

@c(mr_session_deactivate)
func deactivate(_ notifyOthers: Int32) -> Int32 {
  LastError.catching {
    try AVAudioSession.sharedInstance().setActive(
      false,
      options: notifyOthers != 0 ? .notifyOthersOnDeactivation : [],
    )
  }
}

@c(mr_session_is_active)
func isActive() -> Int32 { AVAudioSession.sharedInstance().isActive ? 1 : 0 }

@c(mr_session_sample_rate)
func sampleRate() -> Double { AVAudioSession.sharedInstance().sampleRate }

@c(mr_session_io_buffer_seconds)
func ioBufferSeconds() -> Double { AVAudioSession.sharedInstance().ioBufferDuration }

@c(mr_session_input_latency_seconds)
func inputLatencySeconds() -> Double { AVAudioSession.sharedInstance().inputLatency }

@c(mr_session_output_latency_seconds)
func outputLatencySeconds() -> Double { AVAudioSession.sharedInstance().outputLatency }

@c(mr_session_output_volume)
func outputVolume() -> Double { Double(AVAudioSession.sharedInstance().outputVolume) }

@c(mr_session_route)
func route(_ text: UnsafeMutablePointer<CChar>?, _ size: Int) -> Int {
  let route = AVAudioSession.sharedInstance().currentRoute
  let lines = [("input", route.inputs), ("output", route.outputs)].flatMap { direction, ports in
    ports.map { port in
      "\(direction)\t\(port.portType.rawValue)\t\(port.uid)\t\(port.channels?.count ?? 0)\n"
    }
  }
  return unsafe copy(lines.joined(), to: text, size)
}

@c(mr_session_last_error)
func lastError(_ text: UnsafeMutablePointer<CChar>?, _ size: Int) -> Int {
  unsafe copy(LastError.message, to: text, size)
}

/// The SDK's string for a Swift name: `voiceChat` is `AVAudioSessionModeVoiceChat`.
private func symbol(_ prefix: String, _ name: String) -> String {
  prefix + name.prefix(1).uppercased() + name.dropFirst()
}

/// Writes a text with its final 0, as much of it as there is room for.
private func copy(_ text: String, to target: UnsafeMutablePointer<CChar>?, _ size: Int) -> Int {
  let bytes = Array(text.utf8)
  guard let target = unsafe target, size > 0 else { return bytes.count }
  for (index, byte) in bytes.prefix(size - 1).enumerated() {
    unsafe target[index] = CChar(bitPattern: byte)
  }
  unsafe target[min(bytes.count, size - 1)] = 0
  return bytes.count
}
