// SPDX-License-Identifier: MIT

import AVFAudio
import Foundation
import MediaPlayer
import Synchronization

/// Sixteen threads that call the session at random, for the thread sanitizer and for SES-5.
///
///     SessionStorm SECONDS SOUND-FILE
///
/// Ends with 0 when every property was valid at all times and every call came back, else with 1.
@main
enum SessionStormProgram {
  static func main() {
    let arguments = CommandLine.arguments
    guard arguments.count == 3, let seconds = Double(arguments[1]) else {
      FileHandle.standardError.write(Data("usage: SessionStorm SECONDS SOUND-FILE\n".utf8))
      exit(64)
    }
    let storm = SessionStorm(seconds: seconds, sound: URL(filePath: arguments[2]))
    Thread.detachNewThread {
      let faults = storm.run()
      print("\(storm.calls) calls, \(storm.changes) of them changed something")
      for fault in faults.sorted() { print("fault: \(fault)") }
      exit(faults.isEmpty && storm.changes > 0 ? 0 : 1)
    }
    dispatchMain()
  }
}

/// The threads and the faults that they found.
final class SessionStorm: Sendable {
  private let deadline: Date
  private let sound: URL
  private let faults = Mutex<Set<String>>([])
  private let count = Atomic<Int>(0)
  private let changed = Atomic<Int>(0)
  private let last = (0..<16).map { _ in LastCall() }

  init(seconds: Double, sound: URL) {
    deadline = Date(timeIntervalSinceNow: seconds)
    self.sound = sound
  }

  /// How many calls were made.
  var calls: Int { count.load(ordering: .relaxed) }
  /// How many of them changed something.
  var changes: Int { changed.load(ordering: .relaxed) }

  /// Lets 16 threads call until the time is over.
  ///
  /// - Returns: The faults.
  func run() -> Set<String> {
    let group = DispatchGroup()
    for number in 0..<16 {
      group.enter()
      Thread.detachNewThread {
        self.callAtRandom(number)
        group.leave()
      }
    }
    if group.wait(timeout: .now() + deadline.timeIntervalSinceNow + 60) == .timedOut {
      let waiting = last.map { $0.number.load(ordering: .relaxed) }.filter { $0 >= 0 }.sorted()
      faults.withLock { _ = $0.insert("calls do not come back; under way: \(waiting)") }
    }
    return faults.withLock { $0 }
  }

  private func callAtRandom(_ number: Int) {
    var random = UInt64(number) &* 0x9E37_79B9_7F4A_7C15 | 1
    let player = try? AVAudioPlayer(contentsOf: sound)
    while Date() < deadline {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let choice = Int(random >> 33)
      last[number].number.store(choice / 8 % 20, ordering: .relaxed)
      call(choice, player)
      count.wrappingAdd(1, ordering: .relaxed)
    }
    player?.stop()
    last[number].number.store(-1, ordering: .relaxed)
  }

  private func call(_ random: Int, _ player: AVAudioPlayer?) {
    let session = AVAudioSession.sharedInstance()
    let categories: [AVAudioSession.Category] = [
      .ambient, .soloAmbient, .playback, .record, .playAndRecord, .multiRoute,
    ]
    let modes: [AVAudioSession.Mode] = [
      .default, .voiceChat, .measurement, .spokenAudio, .videoChat,
    ]
    let category = categories[random % categories.count]
    let mode = modes[random / 160 % modes.count]
    switch random / 8 % 20 {
    case 0: change { try session.setCategory(category) }
    case 1: change { try session.setCategory(category, mode: mode, options: []) }
    case 2: change { try session.setMode(mode) }
    case 3: change { try session.setActive(random % 2 == 0) }
    case 4: change { try session.setPreferredIOBufferDuration(Double(64 << (random % 3)) / 48_000) }
    case 5: change { try session.setCategory(.playback, options: .duckOthers) }
    case 6: change { try session.setOutputMuted(random % 2 == 0) }
    case 7: change { try session.overrideOutputAudioPort(random % 2 == 0 ? .speaker : .none) }
    case 8: change { try session.setPreferredInput(session.availableInputs?.first) }
    case 9: player?.play()
    case 10: player?.pause()
    case 11: player?.volume = Float(random % 10) / 10
    case 12: player?.channelAssignments = session.currentRoute.outputs.first?.channels
    case 13: observe(session)
    case 14:
      let token = MPRemoteCommandCenter.shared().playCommand.addTarget { _ in .success }
      MPRemoteCommandCenter.shared().playCommand.removeTarget(token)
    case 15: MPNowPlayingInfoCenter.default().nowPlayingInfo = [MPMediaItemPropertyTitle: "storm"]
    case 16: _ = session.currentRoute.outputs.flatMap { $0.channels ?? [] }.map(\.channelName)
    case 17: _ = (session.sampleRate, session.outputVolume, session.isOtherAudioPlaying)
    default: check(session.configuration)
    }
  }

  private func change(_ body: () throws -> Void) {
    if (try? body()) != nil { changed.wrappingAdd(1, ordering: .relaxed) }
  }

  private func observe(_ session: AVAudioSession) {
    let observation = session.observe(\.outputVolume, options: [.new]) { _, _ in }
    observation.invalidate()
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
    let takesOptions: [AVAudioSession.Category] = [
      .playback, .playAndRecord, .multiRoute, .ambient,
    ]
    if !configuration.options.isEmpty, !takesOptions.contains(configuration.category) {
      faults.withLock {
        _ = $0.insert("\(configuration.options) with \(configuration.category)")
      }
    }
  }
}

/// The last call of a thread; -1 while none is under way.
private final class LastCall: Sendable {
  let number = Atomic<Int>(-1)
}
