// SPDX-License-Identifier: MIT

internal import AudioSession
internal import Foundation
internal import SystemSupport

// The functions of multiroute_session.h, which documents them. All are [any-thread] except the audio thread.
// They are public because a release build exports only public functions from the library.
//
// In a forked child each returns before it takes a lock: a thread of the parent may have held one of Foundation or of the Swift
// runtime at the moment of the fork, and the child would wait for it for ever.

/// The C function `mr_session_set_category`. [any-thread]
@c(mr_session_set_category)
public func setCategory(
  _ category: UnsafePointer<CChar>?,
  _ mode: UnsafePointer<CChar>?,
  _ options: UInt32,
) -> Int32 {
  LastError.catching {
    let names = unsafe (
      category.map { unsafe String(cString: $0) }, mode.map { unsafe String(cString: $0) }
    )
    try AVAudioSession.sharedInstance().setCategory(
      AVAudioSession.Category(rawValue: symbol("AVAudioSessionCategory", names.0 ?? "")),
      mode: AVAudioSession.Mode(rawValue: symbol("AVAudioSessionMode", names.1 ?? "default")),
      options: AVAudioSession.CategoryOptions(rawValue: UInt(options)),
    )
  }
}

/// The C function `mr_session_set_preferred`. [any-thread]
@c(mr_session_set_preferred)
public func setPreferred(_ sampleRateHz: Double, _ ioBufferSeconds: Double) -> Int32 {
  LastError.catching {
    let session = AVAudioSession.sharedInstance()
    if !(sampleRateHz < 0) { try session.setPreferredSampleRate(sampleRateHz) }
    if !(ioBufferSeconds < 0) { try session.setPreferredIOBufferDuration(ioBufferSeconds) }
  }
}

/// The C function `mr_session_set_ports`. [any-thread]
@c(mr_session_set_ports)
public func setPorts(_ ports: UnsafePointer<CChar>?, _ channels: Int32) -> Int32 {
  LastError.catching {
    let pattern = unsafe ports.map { unsafe String(cString: $0) }
    try AVAudioSession.sharedInstance().setOutputPorts(
      pattern.map { [$0] } ?? [],
      channels: Int(channels),
    )
  }
}

/// The C function `mr_session_activate`. [any-thread]
@c(mr_session_activate)
public func activate() -> Int32 {
  LastError.catching { try AVAudioSession.sharedInstance().setActive(true) }
}

/// The C function `mr_session_deactivate`. [any-thread]
@c(mr_session_deactivate)
public func deactivate(_ notifyOthers: Int32) -> Int32 {
  LastError.catching {
    try AVAudioSession.sharedInstance().setActive(
      false,
      options: notifyOthers != 0 ? .notifyOthersOnDeactivation : [],
    )
  }
}

/// The C function `mr_session_is_active`. [any-thread]
@c(mr_session_is_active)
public func isActive() -> Int32 { unlessForked { $0.isActive ? 1 : 0 } ?? 0 }

/// The C function `mr_session_sample_rate`. [any-thread]
@c(mr_session_sample_rate)
public func sampleRate() -> Double { unlessForked { $0.sampleRate } ?? 0 }

/// The C function `mr_session_io_buffer_seconds`. [any-thread]
@c(mr_session_io_buffer_seconds)
public func ioBufferSeconds() -> Double { unlessForked { $0.ioBufferDuration } ?? 0 }

/// The C function `mr_session_input_latency_seconds`. [any-thread]
@c(mr_session_input_latency_seconds)
public func inputLatencySeconds() -> Double { unlessForked { $0.inputLatency } ?? 0 }

/// The C function `mr_session_output_latency_seconds`. [any-thread]
@c(mr_session_output_latency_seconds)
public func outputLatencySeconds() -> Double { unlessForked { $0.outputLatency } ?? 0 }

/// The C function `mr_session_output_volume`. [any-thread]
@c(mr_session_output_volume)
public func outputVolume() -> Double { unlessForked { Double($0.outputVolume) } ?? 0 }

/// The C function `mr_session_route`. [any-thread]
@c(mr_session_route)
public func route(_ text: UnsafeMutablePointer<CChar>?, _ size: Int) -> Int {
  guard let route = unlessForked({ $0.currentRoute }) else {
    return unsafe copy("", to: text, size)
  }
  let lines = [("input", route.inputs), ("output", route.outputs)].flatMap { direction, ports in
    ports.map { port in
      "\(direction)\t\(port.portType.rawValue)\t\(port.uid)\t\(port.channels?.count ?? 0)\n"
    }
  }
  return unsafe copy(lines.joined(), to: text, size)
}

/// The C function `mr_session_set_output_volume`. [any-thread]
@c(mr_session_set_output_volume)
public func setOutputVolume(_ volume: Double) -> Int32 {
  LastError.catching { try volumeView.setVolume(Float(volume)) }
}

/// The C function `mr_session_choose_route`. [any-thread]
@c(mr_session_choose_route)
public func chooseRoute(_ uid: UnsafePointer<CChar>?) -> Int32 {
  LastError.catching {
    try volumeView.choose(routeWithUID: unsafe uid.map { unsafe String(cString: $0) })
  }
}

/// The C function `mr_session_routes`. [any-thread]
@c(mr_session_routes)
public func routes(_ text: UnsafeMutablePointer<CChar>?, _ size: Int) -> Int {
  guard !ForkMark.isInChildOfFirstUser else { return unsafe copy("", to: text, size) }
  let used = Set(volumeView.activeRoutes.map(\.uid))
  let chosen = volumeView.chosenRoute?.uid
  let lines = volumeView.routes.map { route in
    let name = route.portName.replacing("\t", with: " ").replacing("\n", with: " ")
    return "\(route.uid)\t\(name)\t\(route.portType.rawValue)"
      + "\t\(used.contains(route.uid) ? 1 : 0)\t\(route.uid == chosen ? 1 : 0)\n"
  }
  return unsafe copy(lines.joined(), to: text, size)
}

/// The model behind the last three functions. [any-thread]
private let volumeView = MPVolumeViewModel()

/// The C function `mr_session_last_error`. [any-thread]
@c(mr_session_last_error)
public func lastError(_ text: UnsafeMutablePointer<CChar>?, _ size: Int) -> Int {
  guard !ForkMark.isInChildOfFirstUser else {
    return unsafe copy(AVAudioSession.forkedReason, to: text, size)
  }
  return unsafe copy(LastError.message, to: text, size)
}

/// A value of the session; nil in a forked child, which has none.
private func unlessForked<Value>(_ value: (AVAudioSession) -> Value) -> Value? {
  ForkMark.isInChildOfFirstUser ? nil : value(AVAudioSession.sharedInstance())
}

/// Gives the SDK's string for a Swift name: `AVAudioSessionModeVoiceChat` for `voiceChat`.
private func symbol(_ prefix: String, _ name: String) -> String {
  prefix + name.prefix(1).uppercased() + name.dropFirst()
}

/// Writes a text with its final 0, truncated to the size.
private func copy(_ text: String, to target: UnsafeMutablePointer<CChar>?, _ size: Int) -> Int {
  var text = text
  return text.withUTF8 { unsafe copy($0, to: target, size) }
}

/// The same of a text that lies in the program.
private func copy(
  _ text: StaticString,
  to target: UnsafeMutablePointer<CChar>?,
  _ size: Int,
) -> Int {
  let bytes = unsafe UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
  return unsafe copy(bytes, to: target, size)
}

private func copy(
  _ bytes: UnsafeBufferPointer<UInt8>,
  to target: UnsafeMutablePointer<CChar>?,
  _ size: Int,
) -> Int {
  guard let target = unsafe target, size > 0 else { return bytes.count }
  let count = min(bytes.count, size - 1)
  for index in 0..<count { unsafe target[index] = CChar(bitPattern: bytes[index]) }
  unsafe target[count] = 0
  return bytes.count
}

/// The reason why the last call of this thread failed. [any-thread]
enum LastError {
  private static let key = "multiroute.session.error"

  static var message: String { Thread.current.threadDictionary[key] as? String ?? "" }

  /// Runs a call and gives 0 or the error's code.
  static func catching(_ body: () throws -> Void) -> Int32 {
    guard !ForkMark.isInChildOfFirstUser else {
      return Int32(AVAudioSession.ErrorCode.mediaServicesFailed.rawValue)
    }
    do {
      try body()
      Thread.current.threadDictionary[key] = ""
      return 0
    } catch {
      Thread.current.threadDictionary[key] = sentence(error as NSError)
      let code = Int32(truncatingIfNeeded: (error as NSError).code)
      return code == 0 ? Int32(AVAudioSession.ErrorCode.badParam.rawValue) : code
    }
  }

  /// Gives one sentence: place, fault and allowed values, as far as the error has them.
  private static func sentence(_ error: NSError) -> String {
    let place = error.userInfo[AVAudioSessionErrorOffendingKey] as? String
    let allowed = error.userInfo[AVAudioSessionErrorAllowedKey] as? [String] ?? []
    return (place.map { "\($0): " } ?? "") + error.localizedDescription
      + (allowed.isEmpty ? "" : "; allowed: " + allowed.joined(separator: ", "))
  }
}
