// SPDX-License-Identifier: MIT

internal import AudioFiles
internal import Dispatch
public import Foundation
internal import NIOConcurrencyHelpers

/// Records the session's input into a file, which can be played whatever becomes of the app.
///
/// WAV or FLAC, by the file's extension; at the hardware's rate, whatever rate is asked for. Without the permission to
/// record it writes silence (PRM-1). It stops by itself when a device is plugged or unplugged (RTE-3), and
/// pauses when the session is interrupted.
open class AVAudioRecorder: NSObject, @unchecked Sendable {
  struct State {
    var recording: Recording?
    var isRecording = false
    var channels: Int
    var assignments: [AVAudioSessionChannelDescription]?
    var delegate = DelegateReference<any AVAudioRecorderDelegate>()
    var startFrame: UInt64 = 0
    var end: DispatchWorkItem?
    var rateHz = 0.0
    var levels = ChannelLevels()
  }

  /// The file.
  public let url: URL
  /// What was asked for, and the rate that it has.
  public let settings: [String: Any]
  let state: NIOLockedValueBox<State>
  private let fileFormat: AudioFileFormat
  private var listener: RecorderListener?

  /// Makes a recorder; the file is made by ``prepareToRecord()`` or ``record()``.
  ///
  /// - Parameters:
  ///   - url: Where to; `.wav` or `.flac`. A file that is there is replaced.
  ///   - settings: ``AVNumberOfChannelsKey`` (2 when left out) and ``AVLinearPCMBitDepthKey`` (24 when left out; 16, 24,
  ///     or 32 for float) count.
  /// - Throws: `badParam` for another extension, or values that cannot be.
  public init(url: URL, settings: [String: Any]) throws {
    let channels = settings[AVNumberOfChannelsKey] as? Int ?? 2
    let bits = settings[AVLinearPCMBitDepthKey] as? Int ?? 24
    guard let format = Self.format(url.pathExtension.lowercased(), bits: bits) else {
      throw NSError.session(
        .badParam,
        "\(url.lastPathComponent) with \(bits) bits cannot be recorded",
        offending: url.pathExtension,
        allowed: ["wav with 16, 24 or 32 bits", "flac with 16 or 24 bits"],
        rule: "SES-2",
      )
    }
    guard (1...format.maximumChannels).contains(channels) else {
      throw NSError.session(
        .badParam,
        "\(channels) channels cannot be recorded",
        offending: "\(channels)",
        allowed: ["1…\(format.maximumChannels)"],
        rule: "SES-2",
      )
    }
    self.url = url
    self.settings = settings
    fileFormat = format
    state = NIOLockedValueBox(State(channels: channels))
    super.init()
    let listener = RecorderListener(recorder: self)
    self.listener = listener
    SessionController.shared.participants.add(listener)
  }

  /// Makes a recorder for a format's channels.
  ///
  /// - Throws: As ``init(url:settings:)``.
  public convenience init(url: URL, format: AVAudioFormat) throws {
    try self.init(url: url, settings: [AVNumberOfChannelsKey: Int(format.channelCount)])
  }

  deinit {
    AppAudio.shared.remove(ObjectIdentifier(self))
    state.withLockedValue { $0.recording }?.recorder.finish()
  }

  /// The format of the recording.
  public var format: AVAudioFormat {
    let (channels, rate) = state.withLockedValue { ($0.channels, $0.rateHz) }
    return AVAudioFormat(
      standardFormatWithSampleRate: rate > 0 ? rate : AVAudioSession.sharedInstance().sampleRate,
      channelLayout: AVAudioChannelLayout(channelCount: channels) ?? AVAudioChannelLayout.stereo,
    )
  }

  /// Whether it records.
  public var isRecording: Bool { state.withLockedValue { $0.isRecording } }

  /// How much was recorded, in seconds.
  public var currentTime: TimeInterval {
    let (recording, rate) = state.withLockedValue { ($0.recording, $0.rateHz) }
    guard let recording, rate > 0 else { return 0 }
    return Double(recording.recorder.status.framesWritten) / rate
  }

  /// The time of the device in seconds; 0 before the first use of audio.
  public var deviceCurrentTime: TimeInterval {
    let rate = AVAudioSession.sharedInstance().sampleRate
    return rate > 0 ? Double(AppAudio.shared.frameNow) / rate : 0
  }

  /// Called on the main thread; held weakly.
  public weak var delegate: (any AVAudioRecorderDelegate)? {
    get { state.withLockedValue { $0.delegate.value } }
    set { state.withLockedValue { $0.delegate = DelegateReference(newValue) } }
  }

  /// Which channel of the input route each channel of the file takes; nil for the first ones.
  public var channelAssignments: [AVAudioSessionChannelDescription]? {
    get { state.withLockedValue { $0.assignments } }
    set { state.withLockedValue { $0.assignments = newValue } }
  }

  // MARK: - Recording

  /// Makes the file, replacing one that is there, and opens the way to the host.
  ///
  /// - Returns: Whether it is ready.
  /// [control-thread]
  @discardableResult
  public func prepareToRecord() -> Bool { (try? attach()) != nil }

  /// Records, or goes on after a pause; activates the session where the app did not (SES-4).
  ///
  /// - Returns: Whether it records; false where the category has no input or the session cannot be active now.
  /// [control-thread]
  @discardableResult
  public func record() -> Bool {
    guard AVAudioSession.sharedInstance().hasInput, let recording = try? attach() else {
      return false
    }
    guard AppAudio.shared.setRunning(true, ObjectIdentifier(self)) else {
      AppAudio.shared.setRunning(false, ObjectIdentifier(self))
      return false
    }
    AppAudio.shared.reviewInput()
    recording.recorder.resume()
    state.withLockedValue { $0.isRecording = true }
    return true
  }

  /// Records for so many seconds.
  ///
  /// - Returns: Whether it records.
  /// [control-thread]
  @discardableResult
  public func record(forDuration duration: TimeInterval) -> Bool {
    guard record() else { return false }
    let end = DispatchWorkItem { [weak self] in self?.stop() }
    state.withLockedValue { $0.end = end }
    SessionController.shared.events.asyncAfter(deadline: .now() + duration, execute: end)
    return true
  }

  /// Pauses; ``record()`` goes on in the same file.
  /// [control-thread]
  public func pause() {
    state.withLockedValue { state in
      state.recording?.recorder.pause()
      state.isRecording = false
    }
    AppAudio.shared.setRunning(false, ObjectIdentifier(self))
  }

  /// Ends the recording and closes the file.
  /// [control-thread]
  public func stop() {
    let recording = state.withLockedValue { state -> Recording? in
      defer { state.recording = nil }
      state.isRecording = false
      state.end?.cancel()
      return state.recording
    }
    AppAudio.shared.remove(ObjectIdentifier(self))
    guard let status = recording?.recorder.finish() else { return }
    let fault = status.error.map { "\($0)" }
    tellDelegate { delegate, recorder in
      if let fault {
        let error = NSError.session(.unspecified, fault, rule: "SES-2")
        delegate.audioRecorderEncodeErrorDidOccur(recorder, error: error)
      }
      delegate.audioRecorderDidFinishRecording(recorder, successfully: fault == nil)
    }
  }

  /// Deletes the file; while it records it stops first.
  ///
  /// - Returns: Whether there was one.
  @discardableResult
  public func deleteRecording() -> Bool {
    stop()
    return (try? FileManager.default.removeItem(at: url)) != nil
  }

  func heard(_ event: SessionEvent) {
    switch event {
    case .interrupted:
      guard isRecording else { return }
      pause()
      tellDelegate { $0.audioRecorderBeginInterruption($1) }
    case .interruptionEnded(let shouldResume, _, _):
      tellDelegate { $0.audioRecorderEndInterruption($1, withOptions: shouldResume ? 1 : 0) }
    case .routeChanged(.oldDeviceUnavailable), .routeChanged(.newDeviceAvailable),
      .deactivated, .mediaServicesLost:
      if state.withLockedValue({ $0.recording }) != nil { stop() }
    case .routeChanged, .remoteCommand, .inputChanged: break
    }
  }

  private func attach() throws -> Recording {
    if let recording = state.withLockedValue({ $0.recording }) { return recording }
    let rate = try AppAudio.shared.sampleRateHz()
    let channels = state.withLockedValue { $0.channels }
    let recorder = try FileRecorder(
      path: url.path(percentEncoded: false),
      settings: FileRecorder.Settings(
        format: fileFormat,
        sampleRateHz: rate,
        channels: channels,
        overwrites: true,
      ),
    )
    recorder.pause()
    let inputs = inputs(channels)
    let recording = Recording(recorder, inputs: inputs)
    state.withLockedValue {
      $0.recording = recording
      $0.rateHz = rate
    }
    try AppAudio.shared.add(recording, of: self, channels: (inputs.max() ?? 0) + 1)
    return recording
  }

  private func inputs(_ channels: Int) -> [Int] {
    guard let assignments = channelAssignments else { return Array(0..<channels) }
    return assignments.map { AVAudioSession.sharedInstance().flatInputIndex(of: $0) ?? -1 }
  }

  private static func format(_ name: String, bits: Int) -> AudioFileFormat? {
    switch (name, bits) {
    case ("wav", 16): .wavPCM16
    case ("wav", 24): .wavPCM24
    case ("wav", 32): .wavFloat32
    case ("flac", 16): .flacPCM16
    case ("flac", 24): .flacPCM24
    default: nil
    }
  }

  private func tellDelegate(
    _ body: @escaping @Sendable (any AVAudioRecorderDelegate, AVAudioRecorder) -> Void
  ) {
    let reference = state.withLockedValue { $0.delegate }
    DispatchQueue.main.async { [self] in
      if let delegate = reference.value { body(delegate, self) }
    }
  }
}

/// Hears of the session for a recorder, without keeping it alive.
final class RecorderListener: SessionParticipant {
  private let recorder: WeakBox<AVAudioRecorder>

  init(recorder: AVAudioRecorder) { self.recorder = WeakBox(recorder) }

  func session(did event: SessionEvent) { recorder.value?.heard(event) }
}
