// SPDX-License-Identifier: MIT

/// The purpose of a channel, as Core Audio numbers it: 1 is left, 2 is right, 42 is mono.
public typealias AudioChannelLabel = UInt32

/// The label of a channel without a known purpose.
public let kAudioChannelLabel_Unknown: AudioChannelLabel = 0xFFFF_FFFF
/// The label of a left channel.
public let kAudioChannelLabel_Left: AudioChannelLabel = 1
/// The label of a right channel.
public let kAudioChannelLabel_Right: AudioChannelLabel = 2
/// The label of a center channel.
public let kAudioChannelLabel_Center: AudioChannelLabel = 3
/// The label of a low-frequency channel.
public let kAudioChannelLabel_LFEScreen: AudioChannelLabel = 4
/// The label of a single channel.
public let kAudioChannelLabel_Mono: AudioChannelLabel = 42

/// The layout of channels, as Core Audio numbers it: a tag whose low half is the number of channels.
public typealias AudioChannelLayoutTag = UInt32

/// One channel.
public let kAudioChannelLayoutTag_Mono: AudioChannelLayoutTag = (100 << 16) | 1

/// Left and right.
public let kAudioChannelLayoutTag_Stereo: AudioChannelLayoutTag = (101 << 16) | 2

/// Channels without positions; put the number of channels into the low half.
public let kAudioChannelLayoutTag_DiscreteInOrder: AudioChannelLayoutTag = 147 << 16
