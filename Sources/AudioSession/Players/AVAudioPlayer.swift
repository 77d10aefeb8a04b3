// SPDX-License-Identifier: MIT

internal import AudioFiles
public import Foundation
internal import NIOConcurrencyHelpers

/// Plays one sound file through the app's session.
///
/// The player pauses when the session is interrupted. At the end the app decides: it plays again, or it asked for that with
/// ``resumesAutomatically`` (INT-5). It pauses when the device in use is unplugged (RTE-3). It reads all formats of libsndfile,
/// MP3, AAC, Apple Lossless, and Ogg with Vorbis, Opus or FLAC, at any sample rate.
///
/// [any-thread] except an audio thread.
open class AVAudioPlayer: NSObject, @unchecked Sendable {
  struct State {
    var voice: Voice?
    var isPlaying = false
    /// Whether the player played when an interruption began, and nothing has stopped it since.
    var wasPlaying = false
    /// Whether the delegate was told of an interruption, and has to be told of its end.
    var isDelegateWaiting = false
    var volume: Float = 1
    var pan: Float = 0
    var loops = 0
    var assignments: [AVAudioSessionChannelDescription]?
    var resumesAutomatically = false
    var levels = ChannelLevels()
    var delegate = DelegateReference<any AVAudioPlayerDelegate>()
    var bookmark: PositionBookmark?
    /// The player's own session; nil while it uses the app's.
    var session: SideSession?
  }

  let state = NIOLockedValueBox(State())
  /// Nil for a player that was made without a file.
  private let file: FilePlayer?
  private let temporary: URL?
  private let source: URL?
  private var listener: PlayerListener?

  /// Opens a file and reads its beginning.
  ///
  /// - Throws: `NSError` with the file, the fault and the allowed values.
  /// [control-thread]
  public required init(contentsOf url: URL) throws {
    let opened = try OpenedFile(path: url.path(percentEncoded: false))
    file = opened.file
    source = url
    temporary = nil
    super.init()
    join(opened.events)
  }

  /// Opens a file; the hint is ignored, because the file's header says its format.
  ///
  /// - Throws: `NSError` with the file, the fault and the allowed values.
  /// [control-thread]
  public init(contentsOf url: URL, fileTypeHint: String?) throws {
    let opened = try OpenedFile(path: url.path(percentEncoded: false))
    file = opened.file
    source = url
    temporary = nil
    super.init()
    join(opened.events)
  }

  /// Opens a file that is in memory.
  ///
  /// - Throws: `NSError` with the fault and the allowed values.
  /// [control-thread]
  public init(data: Data) throws {
    let (opened, url) = try OpenedFile.inMemory(data)
    file = opened.file
    source = nil
    temporary = url
    super.init()
    join(opened.events)
  }

  /// Opens a file that is in memory; the hint is ignored, because the file's header says its format.
  ///
  /// - Throws: `NSError` with the fault and the allowed values.
  /// [control-thread]
  public init(data: Data, fileTypeHint: String?) throws {
    let (opened, url) = try OpenedFile.inMemory(data)
    file = opened.file
    source = nil
    temporary = url
    super.init()
    join(opened.events)
  }

  /// Makes a player without a file, as a value until there is one: it has no duration, and does not play.
  /// [control-thread]
  public override init() {
    file = nil
    source = nil
    temporary = nil
    super.init()
  }

  /// Follows the events of the file and of the session.
  private func join(_ events: PlayerEvents) {
    events.player = self
    let listener = PlayerListener(player: self)
    self.listener = listener
    SessionController.shared.participants.add(listener)
  }

  deinit {
    // In a forked child the voice and the temporary file are its parent's.
    guard !SessionController.shared.isInChild else { return }
    AppAudio.shared.remove(ObjectIdentifier(self))
    state.withLockedValue { $0.session }?.close()
    if let temporary { try? FileManager.default.removeItem(at: temporary) }
  }

  // MARK: - The file

  /// The file; nil if the player was made from data.
  public var url: URL? { source }

  /// The data that the player was made from; nil if it was made from a file.
  public var data: Data? { temporary.flatMap { try? Data(contentsOf: $0) } }

  /// The duration in seconds; 0 if the file does not say.
  public var duration: TimeInterval { file?.info.durationSeconds ?? 0 }

  /// The number of channels of the file.
  public var numberOfChannels: Int { file?.info.channels ?? 0 }

  /// The format of the file.
  public var format: AVAudioFormat {
    guard let file else { return AVAudioFormat() }
    return AVAudioFormat(
      standardFormatWithSampleRate: file.info.sampleRateHz,
      channelLayout: AVAudioChannelLayout(channelCount: file.info.channels)
        ?? AVAudioChannelLayout.stereo,
    )
  }

  /// Rate and channels of the file, as ``AVSampleRateKey`` and ``AVNumberOfChannelsKey``.
  public var settings: [String: Any] {
    guard let info = file?.info else { return [:] }
    return [AVSampleRateKey: info.sampleRateHz, AVNumberOfChannelsKey: info.channels]
  }

  // MARK: - Playing

  /// Whether it plays.
  public var isPlaying: Bool { state.withLockedValue { $0.isPlaying } }

  /// Connects to the host and opens the app's JACK client, so that ``play()`` is heard at once.
  ///
  /// - Returns: Whether it succeeded.
  /// [control-thread]
  @discardableResult
  public func prepareToPlay() -> Bool { (try? attach()) != nil }

  /// Plays from the current position; activates the session if the app did not (SES-4).
  ///
  /// - Returns: Whether it plays; false if the session cannot be active now.
  /// [control-thread]
  @discardableResult
  public func play() -> Bool { start(frame: 0) }

  /// Plays from the current position, starting at a moment of ``deviceCurrentTime``, exact to the sample.
  ///
  /// - Returns: Whether it will play.
  /// [control-thread]
  @discardableResult
  public func play(atTime time: TimeInterval) -> Bool {
    let rate = AVAudioSession.sharedInstance().sampleRate
    return start(frame: time > 0 && rate > 0 ? UInt64((time * rate).rounded()) : 0)
  }

  /// Fades out within 5 ms and keeps the position.
  /// [control-thread]
  public func pause() { haltForGood() }

  /// Fades out within 5 ms and keeps the position, as on iOS.
  /// [control-thread]
  public func stop() { haltForGood() }

  /// The position in seconds; setting it moves there.
  public var currentTime: TimeInterval {
    get { file?.positionSeconds ?? 0 }
    set {
      guard let file, !newValue.isNaN else { return }
      let frame = (max(0, newValue) * file.info.sampleRateHz).rounded()
      file.seek(toFrame: Int(exactly: frame) ?? .max)
    }
  }

  /// The time of the audio device in seconds; 0 before the first use of audio.
  public var deviceCurrentTime: TimeInterval {
    let rate = AVAudioSession.sharedInstance().sampleRate
    let frame = state.withLockedValue { $0.session }?.frameNow ?? AppAudio.shared.frameNow
    return rate > 0 ? Double(frame) / rate : 0
  }

  /// The number of repetitions: 0 for none, negative for endless.
  public var numberOfLoops: Int {
    get { state.withLockedValue { $0.loops } }
    set {
      state.withLockedValue { $0.loops = newValue }
      file?.setLooping(newValue == 0 ? .off : newValue < 0 ? .forever : .times(newValue))
    }
  }

  /// The delegate, called on the main thread; held weakly.
  public weak var delegate: (any AVAudioPlayerDelegate)? {
    get { state.withLockedValue { $0.delegate.value } }
    set { state.withLockedValue { $0.delegate = DelegateReference(newValue) } }
  }

  /// Whether the player resumes by itself after an interruption; off at first (INT-5).
  ///
  /// It resumes if it played before and the end says `shouldResume`, unless a remote control paused it meanwhile (INT-4).
  /// Not in the SDK, where the app resumes its players.
  public var resumesAutomatically: Bool {
    get { state.withLockedValue { $0.resumesAutomatically } }
    set { state.withLockedValue { $0.resumesAutomatically = newValue } }
  }

  private func start(frame: UInt64) -> Bool {
    guard let file, !SessionController.shared.isInChild else { return false }
    do {
      let voice = try attach()
      voice.setStart(frame: frame)
    } catch {
      return false
    }
    guard setRunning(true) else {
      setRunning(false)
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

  /// Stops because the app says so: the end of an interruption starts nothing then (INT-5).
  private func haltForGood() {
    state.withLockedValue { $0.wasPlaying = false }
    halt()
  }

  /// Stops, because the app says so or its session ended or was interrupted.
  func halt(isInterrupted: Bool = false) {
    guard !SessionController.shared.isInChild else { return }
    file?.pause()
    if let file { bookmark?.save(file.positionSeconds) }
    setRunning(false, isInterrupted: isInterrupted)
    // Last, so that who sees it may play again.
    state.withLockedValue { $0.isPlaying = false }
  }

  /// Notes that the player started or stopped, in the session that it uses (SES-4).
  ///
  /// - Returns: Whether that session is active after that.
  @discardableResult
  func setRunning(_ isRunning: Bool, isInterrupted: Bool = false) -> Bool {
    guard let session = state.withLockedValue({ $0.session }) else {
      return AppAudio.shared.setRunning(isRunning, ObjectIdentifier(self))
    }
    // A refusal is the answer; without a host there is nothing to end.
    return (try? session.setRunning(isRunning, isInterrupted: isInterrupted)) != nil
  }

  /// Gives the player's voice; makes one if there is none.
  @discardableResult
  private func attach() throws -> Voice {
    try SessionController.shared.checkProcess()
    guard let file else {
      throw NSError.session(
        .badParam,
        "the player has no file; make one with init(contentsOf:)",
        rule: "INT-5",
      )
    }
    if let session = state.withLockedValue({ $0.session }) {
      let voice = try session.add(file) { self.makeVoice($0) }
      state.withLockedValue { $0.voice = voice }
      return voice
    }
    let rate = try AppAudio.shared.sampleRateHz()
    try file.reconfigure(outputSampleRateHz: rate)
    if let voice = state.withLockedValue({ $0.voice }) { return voice }
    let voice = makeVoice(file)
    state.withLockedValue { $0.voice = voice }
    try AppAudio.shared.add(voice, of: self)
    return voice
  }

  /// Makes a voice with the player's outputs and gains.
  private func makeVoice(_ file: FilePlayer) -> Voice {
    let voice = Voice(player: file, outputs: outputs())
    let gains = state.withLockedValue { $0.gains(channels: voice.channels) }
    voice.setGains(gains, fadeFrames: 1)
    return voice
  }

  /// For each channel of the file, its index among all output channels of the route; -1 for none.
  func outputs() -> [Int] {
    guard let assignments = state.withLockedValue({ $0.assignments }) else {
      return Array(0..<numberOfChannels)
    }
    return assignments.map { AVAudioSession.sharedInstance().flatOutputIndex(of: $0) ?? -1 }
  }

  /// Stops and drops the voice, because its client has ended; the next `play` makes a new one.
  func orphan() {
    // The next `play` opens a closed session anew.
    state.withLockedValue { $0.session }?.close()
    file?.pause()
    state.withLockedValue {
      $0.isPlaying = false
      $0.wasPlaying = false
      $0.isDelegateWaiting = false
      $0.voice = nil
    }
  }

  /// Moves the player to other outputs: its voice is replaced in one plan, from one sample to the next.
  func moveVoice() {
    guard let file, let old = state.withLockedValue({ $0.voice }) else { return }
    let voice = Voice(player: file, outputs: outputs(), replacing: old)
    let session = state.withLockedValue { $0.session }
    let isReplaced =
      session?.replace(old, by: voice) ?? AppAudio.shared.replace(old, by: voice, of: self)
    // Without the old one in the mix, the next `play` makes a new one.
    state.withLockedValue { $0.voice = isReplaced ? voice : nil }
  }

  /// The reader of the file; nil for a player that was made without one.
  var filePlayer: FilePlayer? { file }
}

/// A file that was opened for a player, with its events.
private struct OpenedFile {
  let file: FilePlayer
  let events = PlayerEvents()

  init(path: String) throws {
    // A forked child has no thread that reads files.
    try SessionController.shared.checkProcess()
    do throws(AudioFileError) {
      file = try FilePlayer(
        path: path,
        settings: FilePlayer.Settings(outputSampleRateHz: 48_000, isPlaying: false),
        pool: AppAudio.shared.pool,
        onEvent: { [events] in events.send($0) },
      )
    } catch {
      throw NSError.session(
        .badParam,
        "\(error)",
        offending: path,
        allowed: [error.allowed],
        rule: "INT-5",
      )
    }
  }

  /// Opens a file that is in memory, by way of a temporary one.
  static func inMemory(_ data: Data) throws -> (OpenedFile, URL) {
    let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try data.write(to: url)
    do {
      return (try OpenedFile(path: url.path(percentEncoded: false)), url)
    } catch {
      try? FileManager.default.removeItem(at: url)
      throw error
    }
  }
}

/// The receiver of a player's events, called on the main thread; implementations are [any-thread].
public protocol AVAudioPlayerDelegate: NSObjectProtocol {
  /// The player reached the end of the file.
  func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool)
  /// The file could not be read further.
  func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?)
  /// The session was interrupted while the player played; the player has paused.
  func audioPlayerBeginInterruption(_ player: AVAudioPlayer)
  /// The interruption is over; flag 1 is `shouldResume`.
  func audioPlayerEndInterruption(_ player: AVAudioPlayer, withOptions flags: Int)
  /// The interruption is over: the form of older sources, with the flags of `withOptions`.
  func audioPlayerEndInterruption(_ player: AVAudioPlayer, withFlags flags: Int)
  /// The interruption is over: the form of the oldest sources, without the advice to resume.
  func audioPlayerEndInterruption(_ player: AVAudioPlayer)
}

extension AVAudioPlayerDelegate {
  /// The default implementation is empty.
  public func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {}
  /// The default implementation is empty.
  public func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?) {}
  /// The default implementation is empty.
  public func audioPlayerBeginInterruption(_ player: AVAudioPlayer) {}
  /// Calls the form `withFlags`.
  public func audioPlayerEndInterruption(_ player: AVAudioPlayer, withOptions flags: Int) {
    audioPlayerEndInterruption(player, withFlags: flags)
  }
  /// Calls the form without options.
  public func audioPlayerEndInterruption(_ player: AVAudioPlayer, withFlags flags: Int) {
    audioPlayerEndInterruption(player)
  }
  /// The default implementation is empty.
  public func audioPlayerEndInterruption(_ player: AVAudioPlayer) {}
}
