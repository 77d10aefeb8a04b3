// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import Foundation
import Glibc
import MediaPlayer
import Synchronization
import TestSupport
import Testing

@testable import AudioSession
@testable import EndToEndSupport

/// Information about the app that is now playing in remote controls, and their commands beside play and pause.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct NowPlayingTests {
  @Test(.jackServer(channels: 4))
  func `VOL-2: playerctl shows picture and place, and changes volume, speed and place`()
    async throws
  {
    let bus = try MessageBus()
    try await bus.isThere()
    let rig = try await SessionRig.running()
    let heardCommands = Commands()
    heardCommands.takeAll()
    let info = MPNowPlayingInfoCenter.default()
    info.nowPlayingInfo = [
      MPMediaItemPropertyTitle: "Tune", MPMediaItemPropertyArtist: "Somebody",
      MPMediaItemPropertyAlbumTrackNumber: 3, MPMediaItemPropertyPlaybackDuration: 300.0,
      MPNowPlayingInfoPropertyElapsedPlaybackTime: 100.0,
      MPMediaItemPropertyArtwork: MPMediaItemArtwork(url: URL(filePath: "/tmp/a cover.png")),
    ]
    let player = try AVAudioPlayer(contentsOf: rig.constant(0.5, seconds: 5))
    player.numberOfLoops = -1
    try rig.session.setCategory(.playback)
    try rig.session.setActive(true)
    #expect(player.play())
    let heard = try rig.recorder("phones_out_1")
    try await heard.waitForLevel(0.5)
    try await waitUntil("it is on the bus") { bus.says("Playing", "status") }
    #expect(bus.says("file:///tmp/a%20cover.png", "metadata", "mpris:artUrl"))
    #expect(bus.says("3", "metadata", "xesam:trackNumber"))
    let place = try Double(bus.playerctl("position")) ?? 0
    #expect(place >= 100 && place < 200)

    // The volume is the fader of the app's strip, whoever moves it.
    try bus.playerctl("volume", "0.5")
    try await heard.waitForLevel(0.25)
    try await waitUntil("it says so") { bus.says("0.500000", "volume") }
    let strip = try #require(SessionController.shared.current.detail?.strip)
    let louder = SetGain.Params(target: .strip(strip), gainDB: 0)
    _ = try await rig.client.call(SetGain.self, louder)
    try await heard.waitForLevel(0.5)
    try await waitUntil("it says so") { bus.says("1.000000", "volume") }
    try bus.playerctl("volume", "0")
    try await heard.waitForLevel(0)

    // A place, a direction, a speed; commands that the app does not support do not reach it.
    try bus.playerctl("position", "20")
    try await heardCommands.were(["to 20.0"])
    try bus.playerctl("position", "5+")
    try await heardCommands.were(["to 20.0", "to "])
    MPRemoteCommandCenter.shared().changePlaybackPositionCommand.isEnabled = false
    try await waitUntil("it skips") {
      try bus.playerctl("position", "15-")
      return heardCommands.all.contains("back 15.0")
    }
    try bus.set("Rate", "3.0")
    try bus.set("Rate", "1.5")
    try await heardCommands.were(["at 1.5"])
    #expect(!heardCommands.all.contains("at 3.0"))
    info.nowPlayingInfo?[MPNowPlayingInfoPropertyPlaybackRate] = 1.5
    try await waitUntil("it says so") { try bus.get("Rate").contains("1.5") }

    heardCommands.takeNone()
    info.nowPlayingInfo = nil
    player.stop()
    heard.recorder.close()
    try await rig.end()
    bus.stop()
  }
}

/// The commands of remote controls to the app.
private final class Commands: Sendable {
  private let heard = Mutex<[String]>([])

  var all: [String] { heard.withLock { $0 } }

  func takeAll() {
    let center = MPRemoteCommandCenter.shared()
    center.playCommand.addTarget { [self] _ in note("play") }
    center.pauseCommand.addTarget { [self] _ in note("pause") }
    center.changePlaybackPositionCommand.addTarget { [self] event in
      note("to \((event as? MPChangePlaybackPositionCommandEvent)?.positionTime ?? -1)")
    }
    center.skipForwardCommand.addTarget { [self] event in
      note("on \((event as? MPSkipIntervalCommandEvent)?.interval ?? -1)")
    }
    center.skipBackwardCommand.addTarget { [self] event in
      note("back \((event as? MPSkipIntervalCommandEvent)?.interval ?? -1)")
    }
    center.changePlaybackRateCommand.supportedPlaybackRates = [0.5, 2]
    center.changePlaybackRateCommand.addTarget { [self] event in
      note("at \((event as? MPChangePlaybackRateCommandEvent)?.playbackRate ?? -1)")
    }
  }

  func takeNone() {
    let center = MPRemoteCommandCenter.shared()
    center.changePlaybackPositionCommand.isEnabled = true
    for command in [
      center.playCommand, center.pauseCommand, center.changePlaybackPositionCommand,
      center.skipForwardCommand, center.skipBackwardCommand, center.changePlaybackRateCommand,
    ] {
      command.removeTarget(nil)
    }
  }

  /// Waits until these came, each known by its beginning, in this order.
  func were(_ wanted: [String]) async throws {
    do {
      try await waitUntil("\(wanted) came") {
        var rest = wanted[...]
        for command in all {
          if let next = rest.first, command.hasPrefix(next) { rest = rest.dropFirst() }
        }
        return rest.isEmpty
      }
    } catch {
      throw TestFailure("\(error), but \(all)")
    }
  }

  private func note(_ command: String) -> MPRemoteCommandHandlerStatus {
    heard.withLock { $0.append(command) }
    return .success
  }
}
