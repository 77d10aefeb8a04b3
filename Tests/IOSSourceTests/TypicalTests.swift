// SPDX-License-Identifier: MIT

import AVFoundation
import MediaPlayer
import Testing

/// Typical sources compile here in Swift 5 mode, and in the target IOSSources in Swift 6 mode; they need no host for this.
@MainActor
@Suite struct TypicalTests {
  @Test func `a file that imports AVFoundation alone has all it needs`() throws {
    let source = AudioFoundationOnly()
    #expect(source.describe(1) == "1.5")
    #expect(source.documents.isFileURL)
    let formats = source.formats()
    #expect(formats.map(\.channelCount) == [0, 2])
    #expect(formats.last?.isStandard == false)
    #expect(formats.last?.commonFormat == .pcmFormatFloat32)
    #expect(source.click(URL(fileURLWithPath: "/nowhere.wav")) != noErr)
    #expect(source.isFull(AVError(.diskFull)))
    #expect(source.isFull(AVError(.diskFull) as NSError))
    #expect(!source.isFull(AVError(.unknown)))
  }

  @Test func `a player without a file does nothing, and says so`() {
    let player = AVAudioPlayer()
    #expect(!player.play())
    #expect(!player.prepareToPlay())
    player.currentTime = 3
    player.numberOfLoops = 2
    player.pause()
    player.stop()
    #expect(player.currentTime == 0)
    #expect(player.duration == 0)
    #expect(player.numberOfChannels == 0)
    #expect(player.settings.isEmpty)
    #expect(player.format.channelCount == 0)
  }

  @Test func `players are made through a protocol, and refuse what is no audio`() throws {
    let url = URL(fileURLWithPath: #filePath)
    #expect(throws: NSError.self) { try SoundFactory.make(AVAudioPlayer.self, url) }
    let bytes = try Data(contentsOf: url)
    #expect(throws: NSError.self) { try AVAudioPlayer(data: bytes, fileTypeHint: "public.mp3") }
  }

  @Test func `an artwork writes the app's image to a file of the user's, and removes it`() throws {
    var artwork: MPMediaItemArtwork? = MPMediaItemArtwork(
      boundsSize: CGSize(width: 3, height: 4)
    ) { _ in Cover(bytes: [1, 2, 3]) }
    let path = try #require(artwork?.url).path
    #expect(artwork?.bounds.size == CGSize(width: 3, height: 4))
    #expect(FileManager.default.contents(atPath: path) == Data([1, 2, 3]))
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
    #expect(mode as? Int == 0o600)
    #expect((artwork?.image(at: .zero) as? Cover)?.bytes == [1, 2, 3])
    artwork = nil
    #expect(!FileManager.default.fileExists(atPath: path))
    let empty = MPMediaItemArtwork(boundsSize: .zero) { _ in Cover(bytes: []) }
    #expect(empty.url == nil)
  }

  @Test func `commands keep what the app says of them`() {
    let center = MPRemoteCommandCenter.shared()
    center.likeCommand.isActive = true
    center.likeCommand.localizedTitle = "Love"
    #expect(center.likeCommand.isActive)
    #expect(center.likeCommand.localizedTitle == "Love")
    #expect(MPMediaType.anyAudio.contains(.podcast))
    #expect(!MPMediaType.anyAudio.contains(.movie))
    #expect(MPRepeatType.all.rawValue == 2)
  }
}
