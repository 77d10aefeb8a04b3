// SPDX-License-Identifier: MIT

public import Foundation

/// The domain of errors of AVFoundation.
public let AVFoundationErrorDomain = "AVFoundationErrorDomain"

/// An error of AVFoundation, for sources that name its codes.
///
/// Sessions, players and recorders throw `NSError` with an `AVAudioSession.ErrorCode` instead, as on iOS.
/// Immutable: [any-thread].
public struct AVError: CustomNSError, Hashable, Sendable {
  /// The codes that audio needs.
  public enum Code: Int, Sendable {
    /// Unknown.
    case unknown = -11_800
    /// There is not enough memory.
    case outOfMemory = -11_801
    /// The session does not run.
    case sessionNotRunning = -11_803
    /// The device belongs to another session.
    case deviceAlreadyUsedByAnotherSession = -11_804
    /// Nothing was recorded.
    case noDataCaptured = -11_805
    /// The session's configuration changed.
    case sessionConfigurationChanged = -11_806
    /// The disk is full.
    case diskFull = -11_807
    /// The device was disconnected.
    case deviceWasDisconnected = -11_808
    /// The format of the media changed.
    case mediaChanged = -11_809
    /// The recording reached its longest duration.
    case maximumDurationReached = -11_810
    /// The recording reached its largest size.
    case maximumFileSizeReached = -11_811
    /// There is a gap in the media.
    case mediaDiscontinuity = -11_812
    /// The file format has no room for more samples.
    case maximumNumberOfSamplesForFileFormatReached = -11_813
    /// The device is not connected.
    case deviceNotConnected = -11_814
    /// Another app uses the device.
    case deviceInUseByAnotherApplication = -11_815
    /// Another process configures the device.
    case deviceLockedForConfigurationByAnotherProcess = -11_817
    /// The session was interrupted.
    case sessionWasInterrupted = -11_818
    /// Media services were reset.
    case mediaServicesWereReset = -11_819
    /// The export failed.
    case exportFailed = -11_820
    /// The media could not be decoded.
    case decodeFailed = -11_821
    /// The media cannot be used.
    case invalidSourceMedia = -11_822
    /// The file exists already.
    case fileAlreadyExists = -11_823
    /// The media is protected.
    case contentIsProtected = -11_831
    /// There is no decoder for the media.
    case decoderNotFound = -11_833
    /// There is no encoder for the format.
    case encoderNotFound = -11_834
    /// The user may not play the media.
    case contentIsNotAuthorized = -11_835
    /// The app may not play the media.
    case applicationIsNotAuthorized = -11_836
    /// The operation is not possible with the media.
    case operationNotSupportedForAsset = -11_838
    /// The decoder is in use.
    case decoderTemporarilyUnavailable = -11_839
    /// The encoder is in use.
    case encoderTemporarilyUnavailable = -11_840
    /// The extension does not fit the file format.
    case invalidOutputURLPathExtension = -11_843
    /// The operation was interrupted.
    case operationInterrupted = -11_847
    /// The media does not fit.
    case incompatibleAsset = -11_848
    /// The media could not be loaded.
    case failedToLoadMediaData = -11_849
    /// The server of the media is not set up for it.
    case serverIncorrectlyConfigured = -11_850
    /// The user does not let the app use the device.
    case applicationIsNotAuthorizedToUseDevice = -11_852
    /// The media could not be parsed.
    case failedToParse = -11_853
    /// The media has data that cannot be decoded.
    case undecodableMediaData = -11_855
  }

  /// The code.
  public let code: Code

  /// Makes an error of a code.
  public init(_ code: Code) { self.code = code }

  /// The domain of all of them.
  public static var errorDomain: String { AVFoundationErrorDomain }

  /// The code as a number.
  public var errorCode: Int { code.rawValue }
}
