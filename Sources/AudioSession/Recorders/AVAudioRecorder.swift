// SPDX-License-Identifier: MIT

internal import AudioFiles
internal import Dispatch
public import Foundation
internal import NIOConcurrencyHelpers

/// Records the session's input into a file that stays playable even if the app crashes.
///
/// The file is MPEG-4 or AAC, WAV or FLAC, by its extension, at the sample rate that the settings ask for. Without the permission to record, it holds
/// silence (PRM-1). The recorder stops when a device is plugged in or unplugged (RTE-3), and pauses when the session is
/// interrupted.
///
/// [any-thread] except an audio thread.
open class AVAudioRecorder: NSObject, @unchecked Sendable {
  struct State {
    var recording: Recording?
    var isRecording = false
    var channels: Int
    var assignments: [AVAudioSessionChannelDescription]?
    var delegate = DelegateReference<any AVAudioRecorderDelegate>()
    var end: DispatchWorkItem?
    var rateHz = 0.0
    var levels = ChannelLevels()
    /// The recorder's own session; nil while it uses the app's.
    var session: SideSession?
  }

  /// The file.
  public let url: URL
  /// The settings that the recorder was made with.
  public let settings: [String: Any]
  let state: NIOLockedValueBox<State>
  private let checked: RecorderSettings
  private var listener: RecorderListener?

  /// Makes a recorder; ``prepareToRecord()`` or ``record()`` makes the file.
  ///
  /// - Parameters:
  ///   - url: The file, `.m4a`, `.mp4`, `.aac`, `.wav` or `.flac`; an existing one is replaced.
  ///   - settings: ``AVSampleRateKey`` (default: the hardware's), ``AVNumberOfChannelsKey`` (default 2), for WAV and FLAC
  ///     ``AVLinearPCMBitDepthKey`` (16, 24, or 32 for float; default 24), for AAC ``AVEncoderBitRateKey``,
  ///     ``AVEncoderBitRatePerChannelKey`` or ``AVEncoderAudioQualityKey`` (default: 96 kbit/s for each channel), and an
  ///     ``AVFormatIDKey`` that fits the file. Other keys are ignored.
  /// - Throws: `badParam` for another extension, or values out of range.
  public init(url: URL, settings: [String: Any]) throws {
    let checked = try RecorderSettings(settings, for: url)
    self.url = url
    self.settings = settings
    self.checked = checked
    state = NIOLockedValueBox(State(channels: checked.channels))
    super.init()
    let listener = RecorderListener(recorder: self)
    self.listener = listener
    SessionController.shared.participants.add(listener)
  }

  /// Makes a recorder with the settings of a format.
  ///
  /// - Throws: As ``init(url:settings:)``.
  public convenience init(url: URL, format: AVAudioFormat) throws {
    try self.init(url: url, settings: Self.settings(format))
  }

  /// The settings of a format, in which the file's extension decides whether samples are compressed.
  private static func settings(_ format: AVAudioFormat) -> [String: Any] {
    var settings = format.settings
    settings[AVFormatIDKey] = nil
    return settings
  }

  deinit {
    // In a forked child the file is its parent's.
    guard !SessionController.shared.isInChild else { return }
    AppAudio.shared.remove(ObjectIdentifier(self))
    let state = state.withLockedValue { $0 }
    state.session?.close()
    state.recording?.recorder.finish()
  }

  /// The format of the recording.
  public var format: AVAudioFormat {
    let (channels, rate) = state.withLockedValue { ($0.channels, $0.rateHz) }
    let wanted = checked.sampleRateHz ?? AVAudioSession.sharedInstance().sampleRate
    return AVAudioFormat(
      standardFormatWithSampleRate: rate > 0 ? rate : wanted,
      channelLayout: AVAudioChannelLayout(channelCount: channels) ?? AVAudioChannelLayout.stereo,
    )
  }

  /// Whether it records.
  public var isRecording: Bool { state.withLockedValue { $0.isRecording } }

  /// The duration of the recording so far, in seconds.
  public var currentTime: TimeInterval {
    let (recording, rate) = state.withLockedValue { ($0.recording, $0.rateHz) }
    guard let recording, rate > 0 else { return 0 }
    return Double(recording.recorder.status.framesWritten) / rate
  }

  /// The time of the audio device in seconds; 0 before the first use of audio.
  public var deviceCurrentTime: TimeInterval {
    let rate = AVAudioSession.sharedInstance().sampleRate
    let frame = state.withLockedValue { $0.session }?.frameNow ?? AppAudio.shared.frameNow
    return rate > 0 ? Double(frame) / rate : 0
  }

  /// The delegate, called on the main thread; held weakly.
  public weak var delegate: (any AVAudioRecorderDelegate)? {
    get { state.withLockedValue { $0.delegate.value } }
    set { state.withLockedValue { $0.delegate = DelegateReference(newValue) } }
  }

  /// The input route's channel for each channel of the file; nil for the first ones in order.
  public var channelAssignments: [AVAudioSessionChannelDescription]? {
    get { state.withLockedValue { $0.assignments } }
    set { state.withLockedValue { $0.assignments = newValue } }
  }

  // MARK: - Recording

  /// Makes the file, connects to the host and opens the app's JACK client.
  ///
  /// - Returns: Whether it succeeded.
  /// [control-thread]
  @discardableResult
  public func prepareToRecord() -> Bool { (try? attach()) != nil }

  /// Records, or continues after a pause; activates the session if the app did not (SES-4).
  ///
  /// - Returns: Whether it records; false if the category has no input or the session cannot be active now.
  /// [control-thread]
  @discardableResult
  public func record() -> Bool { start() }

  /// Records from a moment of ``deviceCurrentTime`` on, exact to the sample.
  ///
  /// - Parameter time: A moment that is past means at once.
  /// - Returns: Whether it will record.
  /// [control-thread]
  @discardableResult
  public func record(atTime time: TimeInterval) -> Bool { start(atTime: time) }

  /// Records for a duration in seconds, from a moment of ``deviceCurrentTime`` on, both exact to the sample.
  ///
  /// - Parameters:
  ///   - time: A moment that is past means at once.
  ///   - duration: 0 or more; a pause does not count.
  /// - Returns: Whether it will record.
  /// [control-thread]
  @discardableResult
  public func record(atTime time: TimeInterval, forDuration duration: TimeInterval) -> Bool {
    start(atTime: time, seconds: duration)
  }

  /// Records for a duration in seconds, exact to the sample; a pause does not count.
  ///
  /// - Returns: Whether it records.
  /// [control-thread]
  @discardableResult
  public func record(forDuration duration: TimeInterval) -> Bool { start(seconds: duration) }

  private func start(atTime time: TimeInterval = 0, seconds: TimeInterval? = nil) -> Bool {
    // A session of its own has an input.
    let hasInput = !usesApplicationAudioSession || AVAudioSession.sharedInstance().hasInput
    guard hasInput, let recording = try? attach() else { return false }
    guard setRunning(true) else {
      setRunning(false)
      return false
    }
    let rate = recording.recorder.sampleRateHz
    let startFrame = UInt64(exactly: (time * rate).rounded()) ?? 0
    let frames = seconds.map { Int(exactly: (max(0, $0) * rate).rounded()) ?? .max }
    recording.setSpan(startFrame: startFrame, frames: frames)
    recording.recorder.resume()
    state.withLockedValue {
      $0.isRecording = true
      $0.end?.cancel()
      $0.end = nil
    }
    if frames != nil { awaitEnd(of: recording) }
    return true
  }

  /// Stops when the audio thread has recorded the last frame of a recording; looks again when that can be.
  private func awaitEnd(of recording: Recording) {
    guard let left = recording.framesLeft else { return }
    let end = DispatchWorkItem { [weak self, weak recording] in
      guard let self, let recording,
        self.state.withLockedValue({ $0.recording === recording })
      else { return }
      recording.framesLeft == 0 ? self.stop() : self.awaitEnd(of: recording)
    }
    state.withLockedValue { $0.end = end }
    let seconds = max(0.01, Double(left) / recording.recorder.sampleRateHz)
    SessionController.shared.events.asyncAfter(deadline: .now() + seconds, execute: end)
  }

  /// Pauses; ``record()`` continues in the same file.
  /// [control-thread]
  public func pause() { pause(isInterrupted: false) }

  func pause(isInterrupted: Bool) {
    guard !SessionController.shared.isInChild else { return }
    state.withLockedValue { $0.recording?.recorder.pause() }
    setRunning(false, isInterrupted: isInterrupted)
    // Last, so that who sees it may record again.
    state.withLockedValue { $0.isRecording = false }
  }

  /// Ends the recording and closes the file.
  /// [control-thread]
  public func stop() {
    guard !SessionController.shared.isInChild else { return }
    let recording = state.withLockedValue { state -> Recording? in
      defer { state.recording = nil }
      state.end?.cancel()
      return state.recording
    }
    leaveInput()
    let status = recording?.recorder.finish()
    // Last, so that who sees it finds the whole file.
    state.withLockedValue { if $0.recording == nil { $0.isRecording = false } }
    guard let status else { return }
    let fault = status.error.map { "\($0)" }
    tellDelegate { delegate, recorder in
      if let fault {
        let error = NSError.session(.unspecified, fault, rule: "SES-2")
        delegate.audioRecorderEncodeErrorDidOccur(recorder, error: error)
      }
      delegate.audioRecorderDidFinishRecording(recorder, successfully: fault == nil)
    }
  }

  /// Stops the recording and deletes the file.
  ///
  /// - Returns: Whether there was a file.
  @discardableResult
  public func deleteRecording() -> Bool {
    guard !SessionController.shared.isInChild else { return false }
    stop()
    return (try? FileManager.default.removeItem(at: url)) != nil
  }

  private func attach() throws -> Recording {
    try SessionController.shared.checkProcess()
    if let recording = state.withLockedValue({ $0.recording }) { return recording }
    let session = state.withLockedValue { $0.session }
    let rate = try session?.sampleRateHz() ?? AppAudio.shared.sampleRateHz()
    let channels = state.withLockedValue { $0.channels }
    let fileRate = checked.sampleRateHz ?? checked.format.nearestRateHz(to: rate)
    let recorder = try FileRecorder(
      path: url.path(percentEncoded: false),
      settings: FileRecorder.Settings(
        format: checked.format,
        sampleRateHz: rate,
        fileSampleRateHz: fileRate,
        channels: channels,
        overwrites: true,
      ),
    )
    recorder.pause()
    let inputs = inputs(channels)
    let recording = Recording(recorder, inputs: inputs)
    state.withLockedValue {
      $0.recording = recording
      $0.rateHz = fileRate
    }
    let count = (inputs.max() ?? 0) + 1
    if let session {
      try session.add(recording, channels: count)
    } else {
      try AppAudio.shared.add(recording, of: self, channels: count)
    }
    return recording
  }

  private func inputs(_ channels: Int) -> [Int] {
    guard let assignments = channelAssignments else { return Array(0..<channels) }
    return assignments.map { AVAudioSession.sharedInstance().flatInputIndex(of: $0) ?? -1 }
  }
}
