// SPDX-License-Identifier: MIT

internal import AudioFiles
public import Foundation
internal import NIOConcurrencyHelpers

/// Plays one sound file through the app's session.
///
/// It pauses by itself when the session is interrupted, and goes on by itself when it played before and the end says
/// `shouldResume`, unless a remote control asked for a pause meanwhile (INT-4, INT-5); it pauses when the device that
/// plays is unplugged (RTE-3). Any format that libsndfile reads, at any rate.
open class AVAudioPlayer: NSObject, @unchecked Sendable {
  struct State {
    var voice: Voice?
    var isPlaying = false
    /// Whether it played when an interruption began.
    var wasPlaying = false
    var volume: Float = 1
    var pan: Float = 0
    var loops = 0
    var assignments: [AVAudioSessionChannelDescription]?
    var resumesAutomatically = true
    var levels = ChannelLevels()
    var delegate = DelegateReference<any AVAudioPlayerDelegate>()
    var bookmark: PositionBookmark?
  }

  let state = NIOLockedValueBox(State())
  private let file: FilePlayer
  private let temporary: URL?
  private let source: URL?
  private var listener: PlayerListener?

  /// Opens a file and reads its beginning.
  ///
  /// - Throws: `NSError` with the file, the fault and what is allowed.
  /// [control-thread]
  public convenience init(contentsOf url: URL) throws {
    try self.init(url, path: url.path(percentEncoded: false), temporary: nil)
  }

  /// Opens a file; the hint is not needed.
  ///
  /// - Throws: `NSError` with the file, the fault and what is allowed.
  /// [control-thread]
  public convenience init(contentsOf url: URL, fileTypeHint: String?) throws {
    try self.init(contentsOf: url)
  }

  /// Opens the contents of a file.
  ///
  /// - Throws: `NSError` with the fault and what is allowed.
  /// [control-thread]
  public convenience init(data: Data) throws {
    let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try data.write(to: url)
    try self.init(nil, path: url.path(percentEncoded: false), temporary: url)
  }

  private init(_ source: URL?, path: String, temporary: URL?) throws {
    let events = PlayerEvents()
    do throws(AudioFileError) {
      file = try FilePlayer(
        path: path,
        settings: FilePlayer.Settings(outputSampleRateHz: 48_000, isPlaying: false),
        pool: AppAudio.shared.pool,
        onEvent: { events.send($0) },
      )
    } catch {
      if let temporary { try? FileManager.default.removeItem(at: temporary) }
      throw NSError.session(
        .badParam,
        "\(error)",
        offending: path,
        allowed: [error.allowed],
        rule: "INT-5",
      )
    }
    self.source = source
    self.temporary = temporary
    super.init()
    events.player = self
    let listener = PlayerListener(player: self)
    self.listener = listener
    SessionController.shared.participants.add(listener)
  }

  deinit {
    AppAudio.shared.remove(ObjectIdentifier(self))
    if let temporary { try? FileManager.default.removeItem(at: temporary) }
  }

  // MARK: - The file

  /// The file; nil where it was made from data.
  public var url: URL? { source }

  /// Always nil: what was given as data is in a file by now.
  public var data: Data? { temporary.flatMap { try? Data(contentsOf: $0) } }

  /// The length in seconds; 0 where the file does not say.
  public var duration: TimeInterval { file.info.durationSeconds ?? 0 }

  /// The channels of the file.
  public var numberOfChannels: Int { file.info.channels }

  /// The format of the file.
  public var format: AVAudioFormat {
    AVAudioFormat(
      standardFormatWithSampleRate: file.info.sampleRateHz,
      channelLayout: AVAudioChannelLayout(channelCount: file.info.channels)
        ?? AVAudioChannelLayout.stereo,
    )
  }

  /// Rate and channels of the file, as ``AVSampleRateKey`` and ``AVNumberOfChannelsKey``.
  public var settings: [String: Any] {
    [AVSampleRateKey: file.info.sampleRateHz, AVNumberOfChannelsKey: file.info.channels]
  }

  // MARK: - Playing

  /// Whether it plays.
  public var isPlaying: Bool { state.withLockedValue { $0.isPlaying } }

  /// Opens the way to the host, so that ``play()`` is heard at once.
  ///
  /// - Returns: Whether it is open.
  /// [control-thread]
  @discardableResult
  public func prepareToPlay() -> Bool { (try? attach()) != nil }

  /// Plays from where it stands; activates the session where the app did not (SES-4).
  ///
  /// - Returns: Whether it plays; false where the session cannot be active now.
  /// [control-thread]
  @discardableResult
  public func play() -> Bool { start(frame: 0) }

  /// Plays from where it stands, from a moment of ``deviceCurrentTime`` on, to the sample.
  ///
  /// - Returns: Whether it will.
  /// [control-thread]
  @discardableResult
  public func play(atTime time: TimeInterval) -> Bool {
    let rate = AVAudioSession.sharedInstance().sampleRate
    return start(frame: time > 0 && rate > 0 ? UInt64((time * rate).rounded()) : 0)
  }

  /// Fades out within 5 ms and stays where it is.
  /// [control-thread]
  public func pause() { halt() }

  /// Fades out within 5 ms and stays where it is, as on iOS.
  /// [control-thread]
  public func stop() { halt() }

  /// The place in seconds; setting it goes there.
  public var currentTime: TimeInterval {
    get { file.positionSeconds }
    set { file.seek(toFrame: Int((max(0, newValue) * file.info.sampleRateHz).rounded())) }
  }

  /// The time of the device in seconds; 0 before the first use of audio.
  public var deviceCurrentTime: TimeInterval {
    let rate = AVAudioSession.sharedInstance().sampleRate
    return rate > 0 ? Double(AppAudio.shared.frameNow) / rate : 0
  }

  /// How often it is played again: 0 never, negative for ever.
  public var numberOfLoops: Int {
    get { state.withLockedValue { $0.loops } }
    set {
      state.withLockedValue { $0.loops = newValue }
      file.setLooping(newValue == 0 ? .off : newValue < 0 ? .forever : .times(newValue))
    }
  }

  /// Called on the main thread; held weakly.
  public weak var delegate: (any AVAudioPlayerDelegate)? {
    get { state.withLockedValue { $0.delegate.value } }
    set { state.withLockedValue { $0.delegate = DelegateReference(newValue) } }
  }

  /// Whether it goes on by itself after an interruption, when it played and `shouldResume` is set (INT-5).
  ///
  /// Not in the SDK, where the app does so itself.
  public var resumesAutomatically: Bool {
    get { state.withLockedValue { $0.resumesAutomatically } }
    set { state.withLockedValue { $0.resumesAutomatically = newValue } }
  }

  private func start(frame: UInt64) -> Bool {
    do {
      let voice = try attach()
      voice.setStart(frame: frame)
    } catch {
      return false
    }
    guard AppAudio.shared.setRunning(true, ObjectIdentifier(self)) else {
      AppAudio.shared.setRunning(false, ObjectIdentifier(self))
      return false
    }
    if file.hasEnded { file.seek(toFrame: 0) }
    state.withLockedValue {
      $0.isPlaying = true
      $0.wasPlaying = false
    }
    file.play()
    return true
  }

  func halt() {
    file.pause()
    state.withLockedValue { $0.isPlaying = false }
    bookmark?.save(file.positionSeconds)
    AppAudio.shared.setRunning(false, ObjectIdentifier(self))
  }

  /// Makes the voice where there is none, or where the route asks for another.
  @discardableResult
  private func attach() throws -> Voice {
    let rate = try AppAudio.shared.sampleRateHz()
    try file.reconfigure(outputSampleRateHz: rate)
    if let voice = state.withLockedValue({ $0.voice }) { return voice }
    let voice = Voice(player: file, outputs: outputs())
    let state = state.withLockedValue { state in
      state.voice = voice
      return state
    }
    voice.setGains(state.gains(channels: voice.channels), fadeFrames: 1)
    try AppAudio.shared.add(voice, of: self)
    return voice
  }

  /// The place of each channel in the flat channel space of the route.
  private func outputs() -> [Int] {
    guard let assignments = state.withLockedValue({ $0.assignments }) else {
      return Array(0..<file.info.channels)
    }
    return assignments.map { AVAudioSession.sharedInstance().flatOutputIndex(of: $0) ?? -1 }
  }

  /// The audio objects of before are gone: the next `play` makes new ones.
  func orphan() {
    file.pause()
    state.withLockedValue {
      $0.isPlaying = false
      $0.wasPlaying = false
      $0.voice = nil
    }
  }

  func detach() {
    state.withLockedValue { $0.voice = nil }
    AppAudio.shared.remove(ObjectIdentifier(self))
  }

  /// Where the file is to be seeked, and whether it is at its end.
  var filePlayer: FilePlayer { file }
}
