import AVFAudio
import Foundation

@main
final class Player: @unchecked Sendable {
  private let session = AVAudioSession.sharedInstance()

  static func main() throws {
    let player = Player()
    try player.setUp()
    withExtendedLifetime(player) { dispatchMain() }
  }

  private func setUp() throws {
    try session.setCategory(.playback, mode: .default, options: [])
    try session.setPreferredIOBufferDuration(0.005)
    try session.setActive(true)
  }
}
