// SPDX-License-Identifier: MIT

/// The key of the file format in a recorder's settings; the file's extension decides instead.
public let AVFormatIDKey = "AVFormatIDKey"

/// The key of the sample rate in Hz in settings.
public let AVSampleRateKey = "AVSampleRateKey"

/// The key of the number of channels in settings.
public let AVNumberOfChannelsKey = "AVNumberOfChannelsKey"

/// The key of the bits of a sample in settings: 16, 24, or 32 for float.
public let AVLinearPCMBitDepthKey = "AVLinearPCMBitDepthKey"

/// The key of whether samples are floats; 32 bits are, others are not.
public let AVLinearPCMIsFloatKey = "AVLinearPCMIsFloatKey"

/// The key of whether samples are big endian; files are little endian.
public let AVLinearPCMIsBigEndianKey = "AVLinearPCMIsBigEndianKey"

/// The key of the encoder's quality; without effect, files are lossless.
public let AVEncoderAudioQualityKey = "AVEncoderAudioQualityKey"
