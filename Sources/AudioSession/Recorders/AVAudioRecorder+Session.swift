// SPDX-License-Identifier: MIT

internal import Dispatch
public import Foundation
internal import NIOConcurrencyHelpers
internal import SystemSupport

extension AVAudioRecorder {
  /// Always true, because measuring levels is cheap.
  public var isMeteringEnabled: Bool {
    get { true }
    set {}
  }

  /// Reads the levels that were measured since the last call.
  /// [control-thread]
  public func updateMeters() {
    let recording = state.withLockedValue { $0.recording }
    let levels = ChannelLevels(recording?.levels ?? [])
    state.withLockedValue { $0.levels = levels }
  }

  /// The peak level at the last ``updateMeters()`` in dB, from -160; 0 is full scale. [any-thread]
  public func peakPower(forChannel channel: Int) -> Float {
    state.withLockedValue { $0.levels }.peak(channel)
  }

  /// The mean level at the last ``updateMeters()`` in dB, from -160; 0 is full scale. [any-thread]
  public func averagePower(forChannel channel: Int) -> Float {
    state.withLockedValue { $0.levels }.average(channel)
  }

  // MARK: - The session

  func heard(_ event: SessionEvent) {
    switch event {
    case .interrupted:
      guard isRecording else { return }
      pause()
      tellDelegate { $0.audioRecorderBeginInterruption($1) }
    case .interruptionEnded(let shouldResume, _, _):
      tellDelegate { $0.audioRecorderEndInterruption($1, withOptions: shouldResume ? 1 : 0) }
    case .routeChanged(.oldDeviceUnavailable, _), .routeChanged(.newDeviceAvailable, _),
      .deactivated, .mediaServicesLost:
      if state.withLockedValue({ $0.recording }) != nil { stop() }
    case .routeChanged, .remoteCommand, .inputChanged: break
    }
  }

  func tellDelegate(
    _ body: @escaping @Sendable (any AVAudioRecorderDelegate, AVAudioRecorder) -> Void
  ) {
    let reference = state.withLockedValue { $0.delegate }
    DispatchQueue.main.async { [self] in
      if let delegate = reference.value { body(delegate, self) }
    }
  }
}

/// Hands the session's events to a recorder, which it holds weakly. [any-thread]
final class RecorderListener: SessionParticipant {
  private let recorder: WeakBox<AVAudioRecorder>

  init(recorder: AVAudioRecorder) { self.recorder = WeakBox(recorder) }

  func session(did event: SessionEvent) { recorder.value?.heard(event) }
}

/// The receiver of a recorder's events, called on the main thread; implementations are [any-thread].
public protocol AVAudioRecorderDelegate: NSObjectProtocol {
  /// The file is closed.
  func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool)
  /// The file could not be written further.
  func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?)
  /// The session was interrupted while the recorder recorded; the recorder has paused.
  func audioRecorderBeginInterruption(_ recorder: AVAudioRecorder)
  /// The interruption is over; flag 1 is `shouldResume`.
  func audioRecorderEndInterruption(_ recorder: AVAudioRecorder, withOptions flags: Int)
  /// The interruption is over: the form of older sources, with the flags of `withOptions`.
  func audioRecorderEndInterruption(_ recorder: AVAudioRecorder, withFlags flags: Int)
  /// The interruption is over: the form of the oldest sources, without the advice to resume.
  func audioRecorderEndInterruption(_ recorder: AVAudioRecorder)
}

extension AVAudioRecorderDelegate {
  /// The default implementation is empty.
  public func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully: Bool) {}
  /// The default implementation is empty.
  public func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?) {}
  /// The default implementation is empty.
  public func audioRecorderBeginInterruption(_ recorder: AVAudioRecorder) {}
  /// Calls the form `withFlags`.
  public func audioRecorderEndInterruption(_ recorder: AVAudioRecorder, withOptions flags: Int) {
    audioRecorderEndInterruption(recorder, withFlags: flags)
  }
  /// Calls the form without options.
  public func audioRecorderEndInterruption(_ recorder: AVAudioRecorder, withFlags flags: Int) {
    audioRecorderEndInterruption(recorder)
  }
  /// The default implementation is empty.
  public func audioRecorderEndInterruption(_ recorder: AVAudioRecorder) {}
}
