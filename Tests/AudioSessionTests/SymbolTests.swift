// SPDX-License-Identifier: MIT

import AVFAudio
import Foundation
import Testing

/// The API is complete, has the SDK's values, and docs/avaudiosession.md has the state of each symbol.
@Suite struct SymbolTests {
  @available(*, deprecated)
  @Test func `every symbol is in the table, with its state, and the table has no others`() throws {
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let data = try #require(FileManager.default.contents(atPath: "/\(root)/docs/avaudiosession.md"))
    let text = String(decoding: data, as: UTF8.self)
    let section = text.components(separatedBy: "\n## ")[0]
    var named: [String] = []
    for row in section.split(separator: "\n") where row.hasPrefix("| `") {
      let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      try #require(cells.count == 3)
      named.append(cells[0].replacing("`", with: ""))
      #expect(["works", "works differently", "inert"].contains(cells[1]), "\(row)")
      #expect(cells[1] != "works differently" || cells[2] != "–", "\(row) does not say how")
    }
    #expect(Set(named) == Set(SymbolList.names))
    #expect(named.count == Set(named).count)
  }

  @Test func `raw values are the SDK's`() {
    #expect(AVAudioSession.Category.multiRoute.rawValue == "AVAudioSessionCategoryMultiRoute")
    #expect(AVAudioSession.Mode.spokenAudio.rawValue == "AVAudioSessionModeSpokenAudio")
    #expect(AVAudioSession.Port.bluetoothA2DP.rawValue == "BluetoothA2DPOutput")
    #expect(AVAudioSession.Port.headsetMic.rawValue == "MicrophoneWired")
    #expect(AVAudioSession.CategoryOptions.interruptSpokenAudioAndMixWithOthers.rawValue == 0x11)
    #expect(AVAudioSession.CategoryOptions.farFieldInput.rawValue == 0x40000)
    #expect(AVAudioSession.PortOverride.speaker.rawValue == 0x7370_6B72)
    #expect(AVAudioSession.RouteChangeReason(rawValue: 5) == nil)
    #expect(AVAudioSession.RouteChangeReason.wakeFromSleep.rawValue == 6)
    #expect(AVAudioSession.ErrorCode.badParam.rawValue == -50)
    let codes: [(AVAudioSession.ErrorCode, String)] = [
      (.mediaServicesFailed, "msrv"), (.isBusy, "!act"), (.incompatibleCategory, "!cat"),
      (.cannotInterruptOthers, "!int"), (.missingEntitlement, "ent?"), (.siriIsRecording, "siri"),
      (.cannotStartPlaying, "!pla"), (.cannotStartRecording, "!rec"),
      (.insufficientPriority, "!pri"), (.resourceNotAvailable, "!res"), (.unspecified, "what"),
      (.expiredSession, "!ses"), (.sessionNotActive, "inac"),
    ]
    for (code, characters) in codes {
      #expect(code.rawValue == characters.utf8.reduce(0) { $0 << 8 | Int($1) }, "\(code)")
    }
    #expect(
      AVAudioSession.interruptionNotification.rawValue == "AVAudioSessionInterruptionNotification"
    )
    #expect(AVAudioSessionInterruptionOptionKey == "AVAudioSessionInterruptionOptionKey")
  }

  @Test func `sources that extend and mock the types compile`() throws {
    final class Mock: AVAudioSessionPortDescription, @unchecked Sendable {
      override var portType: AVAudioSession.Port { .carAudio }
    }
    #expect(Mock().portType == .carAudio)
    #expect("\(AVAudioSession.Mode.measurement)" == "measuring")
    #if canImport(AVFAudio, _version: 2360.61.4.11)
      let isNewEnough = true
    #else
      let isNewEnough = false
    #endif
    #expect(isNewEnough)
  }

  @Test func `formats and layouts agree on their channels`() throws {
    let format = try #require(
      AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2)
    )
    #expect(format.channelLayout?.layoutTag == kAudioChannelLayoutTag_Stereo)
    #expect(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 3) == nil)
    #expect(AVAudioChannelLayout(layoutTag: 0) == nil)
  }
}

// An extension that apps add: the library must not have it already.
extension AVAudioSession.Mode: CustomStringConvertible {
  var description: String { self == .measurement ? "measuring" : rawValue }
}
