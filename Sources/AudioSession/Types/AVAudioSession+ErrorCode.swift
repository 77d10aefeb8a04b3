// SPDX-License-Identifier: MIT

extension AVAudioSession {
  /// The codes of the errors that are thrown, in the domain `NSOSStatusErrorDomain`.
  public enum ErrorCode: Int, Sendable {
    /// Success.
    case none = 0
    /// The JACK server, or the host, is gone ('msrv'): wait for `mediaServicesWereResetNotification`.
    case mediaServicesFailed = 1_836_282_486
    /// I/O is running ('!act').
    case isBusy = 560_030_580
    /// The category does not do that ('!cat').
    case incompatibleCategory = 560_161_140
    /// Not from the background ('!int').
    case cannotInterruptOthers = 560_557_684
    /// The host's graph file does not allow this program that class ('ent?').
    case missingEntitlement = 1_701_737_535
    /// An assistant is recording ('siri').
    case siriIsRecording = 1_936_290_409
    /// Not in the background, or not this category ('!pla').
    case cannotStartPlaying = 561_015_905
    /// Mixable recording from the background ('!rec').
    case cannotStartRecording = 561_145_187
    /// An illegal value.
    case badParam = -50
    /// A higher class is active ('!pri').
    case insufficientPriority = 561_017_449
    /// The hardware is missing ('!res').
    case resourceNotAvailable = 561_145_203
    /// Nothing else fits ('what').
    case unspecified = 2_003_329_396
    /// The session is gone ('!ses').
    case expiredSession = 561_210_739
    /// The session is not active ('inac').
    case sessionNotActive = 1_768_841_571
  }
}

/// Old name of `AVAudioSession.ErrorCode.insufficientPriority`.
@available(*, deprecated, message: "use AVAudioSession.ErrorCode.insufficientPriority")
public let AVAudioSessionErrorInsufficientPriority =
  AVAudioSession.ErrorCode.insufficientPriority.rawValue
