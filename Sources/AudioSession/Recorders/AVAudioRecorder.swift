// SPDX-License-Identifier: MIT

internal import AudioFiles
internal import Dispatch
public import Foundation
internal import NIOConcurrencyHelpers

/// Records the session's input into a file that stays playable even if the app crashes.
///
/// The file is WAV or FLAC, by its extension, at the hardware's sample rate. Without the permission to record, it holds
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
  }

  /// The file.
  public let url: URL
  /// The settings that the recorder was made with.
  public let settings: [String: Any]
  let state: NIOLockedValueBox<State>
  private let fileFormat: AudioFileFormat
  private var listener: RecorderListener?

  /// Makes a recorder; ``prepareToRecord()`` or ``record()`` makes the file.
  ///
  /// - Parameters:
  ///   - url: The file, `.wav` or `.flac`; an existing one is replaced.
  ///   - settings: ``AVNumberOfChannelsKey`` (default 2) and ``AVLinearPCMBitDepthKey`` (16, 24, or 32 for float;
  ///     default 24). Other keys are ignored.
  /// - Throws: `badParam` for another extension, or values out of range.
  public init(url: URL, settings: [String: Any]) throws {
    let channels = settings[AVNumberOfChannelsKey] as? Int ?? 2
    let bits = settings[AVLinearPCMBitDepthKey] as? Int ?? 24
    guard let format = Self.format(url.pathExtension.lowercased(), bits: bits) else {
      throw NSError.session(
        .badParam,
        "a recording cannot be '\(url.lastPathComponent)' with \(bits) bits",
        offending: url.pathExtension,
        allowed: ["wav with 16, 24 or 32 bits", "flac with 16 or 24 bits"],
        rule: "SES-2",
      )
    }
    guard (1...format.maximumChannels).contains(channels) else {
      throw NSError.session(
        .badParam,
        "a recording cannot have \(channels) channels",
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

  /// Makes a recorder with the number of channels of a format.
  ///
  /// - Throws: As ``init(url:settings:)``.
  public convenience init(url: URL, format: AVAudioFormat) throws {
    try self.init(url: url, settings: [AVNumberOfChannelsKey: Int(format.channelCount)])
  }

  deinit {
    // In a forked child the file is its parent's.
    guard !SessionController.shared.isInChild else { return }
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

  /// The duration of the recording so far, in seconds.
  public var currentTime: TimeInterval {
    let (recording, rate) = state.withLockedValue { ($0.recording, $0.rateHz) }
    guard let recording, rate > 0 else { return 0 }
    return Double(recording.recorder.status.framesWritten) / rate
  }

  /// The time of the audio device in seconds; 0 before the first use of audio.
  public var deviceCurrentTime: TimeInterval {
    let rate = AVAudioSession.sharedInstance().sampleRate
    return rate > 0 ? Double(AppAudio.shared.frameNow) / rate : 0
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

  /// Records for a duration in seconds.
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

  /// Pauses; ``record()`` continues in the same file.
  /// [control-thread]
  public func pause() {
    guard !SessionController.shared.isInChild else { return }
    state.withLockedValue { state in
      state.recording?.recorder.pause()
      state.isRecording = false
    }
    AppAudio.shared.setRunning(false, ObjectIdentifier(self))
  }

  /// Ends the recording and closes the file.
  /// [control-thread]
  public func stop() {
    guard !SessionController.shared.isInChild else { return }
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

}
