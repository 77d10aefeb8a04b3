import AVFAudio
import Foundation
import MediaPlayer

@main
final class Player: @unchecked Sendable {
  private let session = AVAudioSession.sharedInstance()
  private var player: AVAudioPlayer?
  private var observers: [any NSObjectProtocol] = []

  static func main() throws {
    let player = Player()
    player.observe()
    player.takeRemoteCommands()
    try player.setUp()
    withExtendedLifetime(player) { dispatchMain() }
  }

  private func observe() {
    let center = NotificationCenter.default
    observers = [
      center.addObserver(
        forName: AVAudioSession.interruptionNotification,
        object: session,
        queue: nil
      ) { notification in
        let type = notification.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt
        print(type == 1 ? "interrupted" : "over")
      },
      center.addObserver(
        forName: AVAudioSession.mediaServicesWereResetNotification,
        object: session,
        queue: nil
      ) { [weak self] _ in
        try? self?.setUp()
      },
    ]
  }

  private func takeRemoteCommands() {
    let center = MPRemoteCommandCenter.shared()
    center.playCommand.addTarget { [weak self] _ in
      self?.player?.play() == true ? .success : .commandFailed
    }
    center.pauseCommand.addTarget { [weak self] _ in
      self?.player?.pause()
      return .success
    }
    MPNowPlayingInfoCenter.default().nowPlayingInfo = [MPMediaItemPropertyTitle: "Song"]
  }

  private func setUp() throws {
    try session.setCategory(.playback, mode: .default, options: [])
    try session.setPreferredIOBufferDuration(0.005)
    try session.setActive(true)
    print(session.sampleRate, session.ioBufferDuration, session.hardwareDifferences)
    let player = try AVAudioPlayer(contentsOf: URL(filePath: CommandLine.arguments[1]))
    player.play()
    self.player = player
  }
}
