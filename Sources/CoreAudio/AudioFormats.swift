// SPDX-License-Identifier: MIT

/// The number of an audio format, four characters.
public typealias AudioFormatID = UInt32

/// Samples without compression: WAV.
public let kAudioFormatLinearPCM: AudioFormatID = 0x6C70_636D
/// FLAC.
public let kAudioFormatFLAC: AudioFormatID = 0x666C_6163
/// AAC, low complexity.
public let kAudioFormatMPEG4AAC: AudioFormatID = 0x6161_6320
/// Apple Lossless.
public let kAudioFormatAppleLossless: AudioFormatID = 0x616C_6163
/// MP3.
public let kAudioFormatMPEGLayer3: AudioFormatID = 0x2E6D_7033
/// Opus.
public let kAudioFormatOpus: AudioFormatID = 0x6F70_7573

/// Bits that say how samples are stored.
public typealias AudioFormatFlags = UInt32

/// Samples are floats.
public let kAudioFormatFlagIsFloat: AudioFormatFlags = 1
/// The highest byte of a sample is first.
public let kAudioFormatFlagIsBigEndian: AudioFormatFlags = 1 << 1
/// Samples are integers with a sign.
public let kAudioFormatFlagIsSignedInteger: AudioFormatFlags = 1 << 2
/// A sample uses all bits of its place.
public let kAudioFormatFlagIsPacked: AudioFormatFlags = 1 << 3
/// A sample is in the high bits of its place.
public let kAudioFormatFlagIsAlignedHigh: AudioFormatFlags = 1 << 4
/// Each channel has a buffer of its own.
public let kAudioFormatFlagIsNonInterleaved: AudioFormatFlags = 1 << 5
/// Places that are not mixed together are not contiguous.
public let kAudioFormatFlagIsNonMixable: AudioFormatFlags = 1 << 6
/// The byte order of this machine.
public let kAudioFormatFlagsNativeEndian: AudioFormatFlags = 1.bigEndian == 1 ? 1 << 1 : 0
/// Packed floats in the byte order of this machine.
public let kAudioFormatFlagsNativeFloatPacked: AudioFormatFlags =
  kAudioFormatFlagIsFloat | kAudioFormatFlagsNativeEndian | kAudioFormatFlagIsPacked
/// ``kAudioFormatFlagIsFloat`` for linear PCM.
public let kLinearPCMFormatFlagIsFloat = kAudioFormatFlagIsFloat
/// ``kAudioFormatFlagIsBigEndian`` for linear PCM.
public let kLinearPCMFormatFlagIsBigEndian = kAudioFormatFlagIsBigEndian
/// ``kAudioFormatFlagIsSignedInteger`` for linear PCM.
public let kLinearPCMFormatFlagIsSignedInteger = kAudioFormatFlagIsSignedInteger
/// ``kAudioFormatFlagIsPacked`` for linear PCM.
public let kLinearPCMFormatFlagIsPacked = kAudioFormatFlagIsPacked
/// ``kAudioFormatFlagIsNonInterleaved`` for linear PCM.
public let kLinearPCMFormatFlagIsNonInterleaved = kAudioFormatFlagIsNonInterleaved

/// The format of a stream of audio, with the sizes of its parts.
///
/// Pure value: [any-thread].
public struct AudioStreamBasicDescription: Hashable, Sendable {
  /// The frames in a second of the stream.
  public var mSampleRate: Double
  /// The format of the samples.
  public var mFormatID: AudioFormatID
  /// Bits that say how samples are stored.
  public var mFormatFlags: AudioFormatFlags
  /// The bytes of a packet; 0 where packets differ.
  public var mBytesPerPacket: UInt32
  /// The frames of a packet: 1 for linear PCM; 0 where packets differ.
  public var mFramesPerPacket: UInt32
  /// The bytes from a frame to the next in one buffer; 0 for compressed formats.
  public var mBytesPerFrame: UInt32
  /// The number of channels.
  public var mChannelsPerFrame: UInt32
  /// The bits of a sample; 0 for compressed formats.
  public var mBitsPerChannel: UInt32
  /// Always 0.
  public var mReserved: UInt32

  /// Makes a description of which all parts are 0.
  public init() {
    self.init(
      mSampleRate: 0,
      mFormatID: 0,
      mFormatFlags: 0,
      mBytesPerPacket: 0,
      mFramesPerPacket: 0,
      mBytesPerFrame: 0,
      mChannelsPerFrame: 0,
      mBitsPerChannel: 0,
      mReserved: 0,
    )
  }

  /// Makes a description of all its parts.
  public init(
    mSampleRate: Double,
    mFormatID: AudioFormatID,
    mFormatFlags: AudioFormatFlags,
    mBytesPerPacket: UInt32,
    mFramesPerPacket: UInt32,
    mBytesPerFrame: UInt32,
    mChannelsPerFrame: UInt32,
    mBitsPerChannel: UInt32,
    mReserved: UInt32,
  ) {
    self.mSampleRate = mSampleRate
    self.mFormatID = mFormatID
    self.mFormatFlags = mFormatFlags
    self.mBytesPerPacket = mBytesPerPacket
    self.mFramesPerPacket = mFramesPerPacket
    self.mBytesPerFrame = mBytesPerFrame
    self.mChannelsPerFrame = mChannelsPerFrame
    self.mBitsPerChannel = mBitsPerChannel
    self.mReserved = mReserved
  }
}
