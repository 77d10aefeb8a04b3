// SPDX-License-Identifier: MIT

import AVFAudio
import Dispatch
import Foundation
import MediaPlayer

/// A player as for iOS: it plays a file and follows the session.
///
///     player-app FILE
///
/// Prints one word for each event. SIGTERM ends it.
///
/// Belongs to the control thread.
@main
final class PlayerApp: NSObject, AVAudioPlayerDelegate, @unchecked Sendable {
  private let session = AVAudioSession.sharedInstance()
  private let url: URL
  private var player: AVAudioPlayer?
  private var observers: [any NSObjectProtocol] = []

  static func main() {
    guard CommandLine.arguments.count == 2 else {
      FileHandle.standardError.write(Data("usage: player-app FILE\n".utf8))
      exit(64)
    }
    let app = PlayerApp(url: URL(filePath: CommandLine.arguments[1]))
    app.run()
    withExtendedLifetime(app) { dispatchMain() }
  }

  private init(url: URL) { self.url = url }

  private func run() {
    observe()
    takeRemoteCommands()
    setUp()
  }

  private func takeRemoteCommands() {
    let center = MPRemoteCommandCenter.shared()
    center.playCommand.addTarget { [weak self] _ in
      self?.say("remote play")
      return self?.player?.play() == true ? .success : .commandFailed
    }
    center.pauseCommand.addTarget { [weak self] _ in
      self?.say("remote pause")
      self?.player?.pause()
      return .success
    }
    center.changePlaybackPositionCommand.addTarget { [weak self] event in
      guard let event = event as? MPChangePlaybackPositionCommandEvent
      else { return .commandFailed }
      self?.say("remote seek to \(event.positionTime) s")
      self?.player?.currentTime = event.positionTime
      return .success
    }
    let info = MPNowPlayingInfoCenter.default()
    info.nowPlayingInfo = [MPMediaItemPropertyTitle: url.lastPathComponent]
  }

  private func setUp() {
    do {
      try session.setCategory(.playback, mode: .default, options: [])
      try session.setActive(true)
      let player = try AVAudioPlayer(contentsOf: url)
      player.numberOfLoops = -1
      player.resumesAutomatically = true
      player.delegate = self
      self.player = player
      say(player.play() ? "playing on \(output)" : "cannot play")
    } catch {
      say("failed: \(error.localizedDescription)")
    }
  }

  private var output: String { session.currentRoute.outputs.first?.portType.rawValue ?? "nothing" }

  private func observe() {
    let center = NotificationCenter.default
    let names: [(Notification.Name, @Sendable (Notification) -> Void)] = [
      (AVAudioSession.interruptionNotification, { [weak self] in self?.interrupted($0) }),
      (AVAudioSession.routeChangeNotification, { [weak self] in self?.routeChanged($0) }),
      (
        AVAudioSession.mediaServicesWereLostNotification,
        { [weak self] _ in
          self?.player = nil
          self?.say("services lost")
        }
      ),
      (
        AVAudioSession.mediaServicesWereResetNotification,
        { [weak self] _ in
          self?.say("services reset")
          self?.setUp()
        }
      ),
    ]
    for (name, handler) in names {
      observers.append(
        center.addObserver(forName: name, object: session, queue: nil, using: handler)
      )
    }
  }

  private func interrupted(_ notification: Notification) {
    guard let raw = notification.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt,
      let type = AVAudioSession.InterruptionType(rawValue: raw)
    else { return }
    switch type {
    case .began:
      say("interrupted")
    case .ended:
      // The player has resumed if it should: see AVAudioSessionInterruptionOptionKey.
      say(player?.isPlaying == true ? "resumed on \(output)" : "paused")
    @unknown default:
      break
    }
  }

  private func routeChanged(_ notification: Notification) {
    guard let raw = notification.userInfo?[AVAudioSessionRouteChangeReasonKey] as? UInt,
      let reason = AVAudioSession.RouteChangeReason(rawValue: raw)
    else { return }
    switch reason {
    case .oldDeviceUnavailable:
      let key = AVAudioSessionRouteChangePreviousRouteKey
      let previous = notification.userInfo?[key] as? AVAudioSessionRouteDescription
      let type = previous?.outputs.first?.portType.rawValue ?? "nothing"
      say("\(type) gone, \(player?.isPlaying == true ? "playing" : "paused")")
    case .newDeviceAvailable:
      player?.play()
      say("playing on \(output)")
    default:
      // A category change is a route change too (RTE-4).
      say("route \(reason.rawValue)")
    }
  }

  func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {
    say("finished")
  }

  private func say(_ text: String) {
    FileHandle.standardOutput.write(Data((text + "\n").utf8))
  }
}
