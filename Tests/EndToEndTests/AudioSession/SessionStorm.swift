// SPDX-License-Identifier: MIT

import AudioSession
import Foundation
import Synchronization

/// Many threads that call the session at random.
final class SessionStorm: Sendable {
  private let deadline: Date
  private let faults = Mutex<Set<String>>([])
  private let count = Atomic<Int>(0)

  init(seconds: Double) { deadline = Date(timeIntervalSinceNow: seconds) }

  /// How many calls were made.
  var calls: Int { count.load(ordering: .relaxed) }

  /// Lets 16 threads call until the time is over.
  ///
  /// - Returns: What was wrong.
  func run() -> Set<String> {
    let group = DispatchGroup()
    for number in 0..<16 {
      group.enter()
      Thread.detachNewThread {
        var random = UInt64(number) &* 0x9E37_79B9_7F4A_7C15 | 1
        while Date() < self.deadline {
          random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          self.call(Int(random >> 33))
          self.count.wrappingAdd(1, ordering: .relaxed)
        }
        group.leave()
      }
    }
    if group.wait(timeout: .now() + deadline.timeIntervalSinceNow + 30) == .timedOut {
      faults.withLock { _ = $0.insert("a call does not return") }
    }
    return faults.withLock { $0 }
  }

  private func call(_ random: Int) {
    let session = AVAudioSession.sharedInstance()
    let categories: [AVAudioSession.Category] = [
      .ambient, .soloAmbient, .playback, .record, .playAndRecord, .multiRoute,
    ]
    let modes: [AVAudioSession.Mode] = [
      .default, .voiceChat, .measurement, .spokenAudio, .videoChat,
    ]
    let category = categories[random % categories.count]
    switch random / 8 % 10 {
    case 0: try? session.setCategory(category)
    case 1: try? session.setCategory(category, mode: modes[random / 80 % modes.count], options: [])
    case 2: try? session.setMode(modes[random / 80 % modes.count])
    case 3: try? session.setActive(random % 2 == 0)
    case 4: try? session.setPreferredIOBufferDuration(Double(64 << (random % 4)) / 48_000)
    case 5: _ = session.currentRoute.outputs.map(\.portName)
    case 6: _ = (session.sampleRate, session.outputVolume, session.isOtherAudioPlaying)
    case 7: try? session.setCategory(.playback, options: .duckOthers)
    default: check(session.configuration)
    }
  }

  private func check(_ configuration: AVAudioSession.Configuration) {
    let voice: [AVAudioSession.Mode] = [.voiceChat, .videoChat]
    if voice.contains(configuration.mode), configuration.category != .playAndRecord {
      faults.withLock { _ = $0.insert("\(configuration.mode) with \(configuration.category)") }
    }
    if configuration.options.contains(.duckOthers),
      !configuration.options.contains(.mixWithOthers)
    {
      faults.withLock { _ = $0.insert("ducking without mixing") }
    }
  }
}
