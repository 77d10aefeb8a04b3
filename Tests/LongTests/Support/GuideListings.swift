// SPDX-License-Identifier: MIT

import AVFAudio
import Foundation
import Synchronization

@testable import EndToEndSupport

/// The listings of the session guide in Swift form, as an app would have them.
enum GuideListings {
  /// "Activate your session": if it fails, tell why.
  static func activate() throws {
    let session = AVAudioSession.sharedInstance()
    try session.setActive(true)
  }

  /// "Set the category": a music player.
  static func setCategory() throws {
    try AVAudioSession.sharedInstance().setCategory(.playback, mode: .default)
  }

  /// "Set preferred values, activate, then ask what you have got": the request may fail.
  static func preferValues() throws -> (sampleRate: Double, ioBufferDuration: TimeInterval) {
    let session = AVAudioSession.sharedInstance()
    try session.setPreferredSampleRate(44_100)
    try session.setPreferredIOBufferDuration(0.005)
    try session.setActive(true)
    return (session.sampleRate, session.ioBufferDuration)
  }
}

/// "Observe interruptions and route changes": a player's reaction to each.
final class GuideObserver: @unchecked Sendable {
  private let words = Mutex<[String]>([])
  private var tokens: [any NSObjectProtocol] = []

  /// Its reactions.
  var log: [String] { words.withLock { $0 } }

  /// Registers for both.
  func observe() {
    let center = NotificationCenter.default
    let session = AVAudioSession.sharedInstance()
    tokens = [
      center.addObserver(
        forName: AVAudioSession.interruptionNotification,
        object: session,
        queue: nil,
      ) { [weak self] in self?.handleInterruption($0) },
      center.addObserver(
        forName: AVAudioSession.routeChangeNotification,
        object: session,
        queue: nil,
      ) { [weak self] in self?.handleRouteChange($0) },
    ]
  }

  /// Takes the observers away.
  func end() {
    for token in tokens { NotificationCenter.default.removeObserver(token) }
  }

  private func handleInterruption(_ notification: Notification) {
    guard let info = notification.userInfo,
      let typeValue = info[AVAudioSessionInterruptionTypeKey] as? UInt,
      let type = AVAudioSession.InterruptionType(rawValue: typeValue)
    else { return }
    switch type {
    case .began:
      say("save the state, update the interface")
    case .ended:
      guard let optionsValue = info[AVAudioSessionInterruptionOptionKey] as? UInt else { return }
      let options = AVAudioSession.InterruptionOptions(rawValue: optionsValue)
      say(options.contains(.shouldResume) ? "resume" : "wait for the user")
    @unknown default: break
    }
  }

  private func handleRouteChange(_ notification: Notification) {
    guard let info = notification.userInfo,
      let reasonValue = info[AVAudioSessionRouteChangeReasonKey] as? UInt,
      let reason = AVAudioSession.RouteChangeReason(rawValue: reasonValue)
    else { return }
    switch reason {
    case .newDeviceAvailable:
      let hasHeadphones = AVAudioSession.sharedInstance().currentRoute.outputs
        .contains { $0.portType == .headphones }
      say(hasHeadphones ? "headphones connected" : "something connected")
    case .oldDeviceUnavailable:
      let previous = info[AVAudioSessionRouteChangePreviousRouteKey]
      let route = previous as? AVAudioSessionRouteDescription
      let hadHeadphones = route?.outputs.contains { $0.portType == .headphones } ?? false
      say(hadHeadphones ? "headphones disconnected" : "something disconnected")
    default: break
    }
  }

  private func say(_ text: String) { words.withLock { $0.append(text) } }
}

/// "Begin and end interruption delegates": of the player, and of the session before there were notifications.
@available(*, deprecated)
final class GuideDelegate: NSObject, AVAudioPlayerDelegate, AVAudioSessionDelegate,
  @unchecked Sendable
{
  private let words = Mutex<[String]>([])

  /// The calls.
  var log: [String] { words.withLock { $0 } }

  /// By now the player is paused and the session inactive.
  func audioPlayerBeginInterruption(_ player: AVAudioPlayer) {
    say("player began, \(player.isPlaying ? "plays" : "is paused")")
  }

  /// Plays on where the option says so.
  func audioPlayerEndInterruption(_ player: AVAudioPlayer, withOptions flags: Int) {
    if flags == 1 { player.play() }
    say("player ended, \(player.isPlaying ? "plays" : "is paused")")
  }

  /// The session is inactive.
  func beginInterruption() {
    say("session began, \(AVAudioSession.sharedInstance().isActive ? "active" : "inactive")")
  }

  /// The app may be active again.
  func endInterruption(withFlags flags: Int) {
    let session = AVAudioSession.sharedInstance()
    let isActive = (try? session.setActive(true)) != nil
    say("session ended with \(flags), \(isActive ? "active" : "inactive")")
  }

  private func say(_ text: String) { words.withLock { $0.append(text) } }
}

/// The form of the end of an interruption in the guide's older listings: without options.
final class PlainGuideDelegate: NSObject, AVAudioPlayerDelegate, @unchecked Sendable {
  private let words = Mutex<[String]>([])

  /// The calls.
  var log: [String] { words.withLock { $0 } }

  /// By now the player is paused.
  func audioPlayerBeginInterruption(_ player: AVAudioPlayer) {
    words.withLock { $0.append("began") }
  }

  /// The app decides to play on.
  func audioPlayerEndInterruption(_ player: AVAudioPlayer) {
    player.play()
    words.withLock { $0.append("ended") }
  }
}
