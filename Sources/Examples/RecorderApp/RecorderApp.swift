// SPDX-License-Identifier: MIT

import AVFAudio
import Dispatch
import Foundation

/// A recorder as for iOS: it asks for the permission and records into a file.
///
///     recorder-app FILE.wav
///
/// Prints one word for each event. The file stays playable however the program ends.
///
/// Belongs to the control thread.
@main
final class RecorderApp: NSObject, AVAudioRecorderDelegate, @unchecked Sendable {
  private let session = AVAudioSession.sharedInstance()
  private let url: URL
  private var take = 0
  private var recorder: AVAudioRecorder?
  private var observers: [any NSObjectProtocol] = []

  static func main() {
    guard CommandLine.arguments.count == 2 else {
      FileHandle.standardError.write(Data("usage: recorder-app FILE.wav\n".utf8))
      exit(64)
    }
    let app = RecorderApp(url: URL(filePath: CommandLine.arguments[1]))
    app.observe()
    app.setUp()
    withExtendedLifetime(app) { dispatchMain() }
  }

  private init(url: URL) { self.url = url }

  /// The file of the next take: `take.wav`, `take-2.wav` and so on.
  private func nextURL() -> URL {
    take += 1
    guard take > 1 else { return url }
    let name = url.deletingPathExtension().lastPathComponent + "-\(take)." + url.pathExtension
    return url.deletingLastPathComponent().appending(path: name)
  }

  private func setUp() {
    do {
      try session.setCategory(.playAndRecord, mode: .default, options: [.defaultToSpeaker])
      try session.setActive(true)
      record()
    } catch {
      say("failed: \(error.localizedDescription)")
    }
  }

  private func record() {
    do {
      let settings: [String: Any] = [AVNumberOfChannelsKey: 1, AVLinearPCMBitDepthKey: 24]
      let recorder = try AVAudioRecorder(url: nextURL(), settings: settings)
      recorder.delegate = self
      self.recorder = recorder
      say(recorder.record() ? "recording \(recorder.url.lastPathComponent)" : "cannot record")
    } catch {
      say("failed: \(error.localizedDescription)")
    }
  }

  private func observe() {
    let names: [(Notification.Name, @Sendable (Notification) -> Void)] = [
      (AVAudioSession.interruptionNotification, { [weak self] in self?.interrupted($0) }),
      (AVAudioSession.routeChangeNotification, { [weak self] in self?.routeChanged($0) }),
      (
        AVAudioSession.mediaServicesWereLostNotification,
        { [weak self] _ in
          self?.recorder = nil
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
        NotificationCenter.default.addObserver(
          forName: name,
          object: session,
          queue: nil,
          using: handler,
        )
      )
    }
  }

  private func interrupted(_ notification: Notification) {
    let type = notification.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt
    let options = notification.userInfo?[AVAudioSessionInterruptionOptionKey] as? UInt ?? 0
    guard type == AVAudioSession.InterruptionType.ended.rawValue else { return say("interrupted") }
    guard options == AVAudioSession.InterruptionOptions.shouldResume.rawValue else {
      return say("paused")
    }
    // The recording continues in the same file.
    say(recorder?.record() == true ? "recording again" : "cannot record")
  }

  private func routeChanged(_ notification: Notification) {
    let raw = notification.userInfo?[AVAudioSessionRouteChangeReasonKey] as? UInt ?? 0
    switch AVAudioSession.RouteChangeReason(rawValue: raw) {
    case .oldDeviceUnavailable, .newDeviceAvailable:
      // Both stop a recording (RTE-3); the next take begins.
      say("route \(raw), \(recorder?.isRecording == true ? "recording" : "stopped")")
      record()
    default:
      say("route \(raw)")
    }
  }

  func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool) {
    say("finished \(recorder.url.lastPathComponent)")
  }

  private func say(_ text: String) {
    FileHandle.standardOutput.write(Data((text + "\n").utf8))
  }
}
