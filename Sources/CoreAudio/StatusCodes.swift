// SPDX-License-Identifier: MIT

/// The result of a call of old interfaces: ``noErr``, or an error's number.
public typealias OSStatus = Int32

/// The result of a call that succeeded.
public let noErr: OSStatus = 0

/// The result of a call of system sounds that succeeded.
public let kAudioServicesNoError: OSStatus = 0

/// An argument of a call is wrong.
public let kAudio_ParamError: OSStatus = -50

/// A file does not exist.
public let kAudio_FileNotFoundError: OSStatus = -43

/// Any other fault ('what').
public let kAudioServicesSystemSoundUnspecifiedError: OSStatus = -1_500

/// There is no system sound of this number.
public let kAudioServicesBadSystemSoundIDError: OSStatus = -1_501
