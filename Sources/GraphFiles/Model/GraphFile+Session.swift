// SPDX-License-Identifier: MIT

extension GraphFile {
  /// The audio session of the host itself.
  ///
  /// The names are those of `AVAudioSession`. Only what a graph file can contradict is checked here;
  /// the full rules belong to whoever activates the session.
  public struct Session: Sendable, Equatable {
    /// What the host does with audio.
    public var category = Category.multiRoute
    /// How it does it.
    public var mode = Mode.default
    /// How it gets along with others, in the order of the file.
    public var options: [Option] = []
    /// Hardware values asked for.
    public var preferred = Preferred()
    /// Whether preferred values are put back when another program changes them.
    public var enforcesPreferredValues = true
  }
}

extension GraphFile.Session {
  /// A session category; the raw value is the name in the file.
  public enum Category: String, Sendable, CaseIterable {
    /// Output that mixes with everything.
    case ambient
    /// Output that other non-mixable sessions silence.
    case soloAmbient
    /// Output only.
    case playback
    /// Input only.
    case record
    /// Input and one output route.
    case playAndRecord
    /// Several output routes at once, one input route.
    case multiRoute
  }

  /// A session mode; the raw value is the name in the file.
  public enum Mode: String, Sendable, CaseIterable {
    /// Nothing special.
    case `default`
    /// Two-way voice.
    case voiceChat
    /// Two-way voice in a game.
    case gameChat
    /// Two-way voice with pictures.
    case videoChat
    /// Recording sound for pictures.
    case videoRecording
    /// The least possible processing.
    case measurement
    /// Playing films.
    case moviePlayback
    /// Continuous speech that prompts may interrupt.
    case spokenAudio
    /// Short spoken prompts.
    case voicePrompt
  }

  /// A category option; the raw value is the name in the file.
  public enum Option: String, Sendable, CaseIterable {
    /// Sounds together with other sessions.
    case mixWithOthers
    /// Lowers other sessions while active.
    case duckOthers
    /// Hands-free devices become eligible.
    case allowBluetooth
    /// The speaker instead of the receiver.
    case defaultToSpeaker
    /// Interrupts spoken audio, mixes with the rest.
    case interruptSpokenAudioAndMixWithOthers
    /// Stereo Bluetooth outputs become eligible.
    case allowBluetoothA2DP
    /// Network outputs become eligible.
    case allowAirPlay
    /// No interruption when the microphone is muted in hardware.
    case overrideMutedMicrophoneInterruption
  }

  /// Hardware values asked for; nil leaves a value as it is.
  public struct Preferred: Sendable, Equatable {
    /// The I/O buffer length.
    public var ioBuffer: IOBuffer?
    /// The sample rate, 8,000…384,000 Hz.
    public var sampleRateHz: Int?
    /// Input channels, 1…768.
    public var inputChannels: Int?
    /// Output channels, 1…768.
    public var outputChannels: Int?
  }

  /// How long the I/O buffer shall be, the way the file says it.
  public enum IOBuffer: Sendable, Equatable {
    /// A duration, 100 µs…1 s; frames follow from the sample rate.
    case duration(Duration)
    /// Exactly so many frames, 16…8,192.
    case frames(Int)
  }
}
