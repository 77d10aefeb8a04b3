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

  /// Whether the recorder uses the app's session, as at first; otherwise it has one of its own (PLR-4).
  ///
  /// Not in the SDK, where the capture session of table 6-1 has it. An own session has the category `record`: it is active
  /// while the recorder records, which silences others, this app too, and lets them resume at its end. It may record under the
  /// app's permission. Set it before the recorder records; it stops one that does.
  /// [control-thread]
  public var usesApplicationAudioSession: Bool {
    get { state.withLockedValue { $0.session == nil } }
    set {
      guard newValue != usesApplicationAudioSession else { return }
      if state.withLockedValue({ $0.recording }) != nil { stop() }
      let recorder = WeakBox(self)
      let session = newValue ? nil : SideSession.ofRecorder { recorder.value?.heard($0) }
      let old = state.withLockedValue { state in
        defer { state.session = session }
        return state.session
      }
      old?.close()
    }
  }

  /// Notes that the recorder started or stopped, in the session that it uses (SES-4).
  ///
  /// - Returns: Whether that session is active after that.
  @discardableResult
  func setRunning(_ isRunning: Bool, isInterrupted: Bool = false) -> Bool {
    guard let session = state.withLockedValue({ $0.session }) else {
      let isActive = AppAudio.shared.setRunning(isRunning, ObjectIdentifier(self))
      if isActive { AppAudio.shared.reviewInput() }
      return isActive
    }
    // A refusal is the answer; without a host there is nothing to end.
    guard (try? session.setRunning(isRunning, isInterrupted: isInterrupted)) != nil else {
      return false
    }
    session.followInput()
    return true
  }

  /// Takes the recorder away from the input of the session that it uses.
  func leaveInput() {
    guard let session = state.withLockedValue({ $0.session }) else {
      AppAudio.shared.remove(ObjectIdentifier(self))
      return
    }
    session.removeRecording()
    setRunning(false)
  }

  func heard(_ event: SessionEvent) {
    switch event {
    case .interrupted:
      guard isRecording else { return }
      pause(isInterrupted: true)
      tellDelegate { $0.audioRecorderBeginInterruption($1) }
    case .interruptionEnded(let shouldResume, _, _):
      tellDelegate { $0.audioRecorderEndInterruption($1, withOptions: shouldResume ? 1 : 0) }
    case .routeChanged(.oldDeviceUnavailable, _), .routeChanged(.newDeviceAvailable, _),
      .deactivated, .mediaServicesLost:
      if state.withLockedValue({ $0.recording }) != nil { stop() }
      if case .mediaServicesLost = event { state.withLockedValue { $0.session }?.close() }
    case .routeChanged, .inputChanged: state.withLockedValue { $0.session }?.followInput()
    case .remoteCommand: break
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

  func session(did event: SessionEvent) {
    // A recorder with a session of its own hears that one's events.
    guard let recorder = recorder.value, recorder.usesApplicationAudioSession else { return }
    recorder.heard(event)
  }
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
