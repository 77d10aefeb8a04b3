// SPDX-License-Identifier: MIT

import AVFAudio
import Foundation

/// Every symbol of the SDK that this library has, by its name in docs/avaudiosession.md.
///
/// A missing symbol does not compile.
@available(*, deprecated)
enum SymbolList {
  private typealias C = AVAudioSession.Category
  private typealias M = AVAudioSession.Mode
  private typealias O = AVAudioSession.CategoryOptions
  private typealias P = AVAudioSession.RouteSharingPolicy

  static let names: [String] = parts.flatMap { part in part().map(\.name) }

  private static let parts: [@Sendable () -> [(name: String, symbol: Any)]] = [
    part1,
    part2,
    part3,
    part4,
    part5,
    part6,
    part7,
    part8,
    part9,
    part10,
    part11,
    part12,
    part13,
  ]

  private static var s: AVAudioSession { .sharedInstance() }

  private static func part1() -> [(name: String, symbol: Any)] {
    [
      (
        "AVAudioSession.sharedInstance()",
        AVAudioSession.sharedInstance as () -> AVAudioSession as Any
      ),
      ("AVAudioSession.init()", AVAudioSession.init as () -> AVAudioSession as Any),
      ("AVAudioSession.availableCategories", \AVAudioSession.availableCategories as Any),
      ("AVAudioSession.setCategory(_:)", s.setCategory(_:) as (C) throws -> Void as Any),
      (
        "AVAudioSession.setCategory(_:options:)",
        s.setCategory(_:options:) as (C, O) throws -> Void as Any
      ),
      (
        "AVAudioSession.setCategory(_:mode:options:)",
        s.setCategory(_:mode:options:) as (C, M, O) throws -> Void as Any
      ),
      (
        "AVAudioSession.setCategory(_:mode:policy:options:)",
        s.setCategory(_:mode:policy:options:) as (C, M, P, O) throws -> Void as Any
      ),
      ("AVAudioSession.category", \AVAudioSession.category as Any),
      ("AVAudioSession.categoryOptions", \AVAudioSession.categoryOptions as Any),
      ("AVAudioSession.routeSharingPolicy", \AVAudioSession.routeSharingPolicy as Any),
      ("AVAudioSession.availableModes", \AVAudioSession.availableModes as Any),
      ("AVAudioSession.setMode(_:)", s.setMode(_:) as (M) throws -> Void as Any),
      ("AVAudioSession.mode", \AVAudioSession.mode as Any),
      (
        "AVAudioSession.setAllowHapticsAndSystemSoundsDuringRecording(_:)",
        s.setAllowHapticsAndSystemSoundsDuringRecording(_:) as (Bool) throws -> Void as Any
      ),
      (
        "AVAudioSession.allowHapticsAndSystemSoundsDuringRecording",
        \AVAudioSession.allowHapticsAndSystemSoundsDuringRecording as Any
      ),
      ("AVAudioSession.recordPermission", \AVAudioSession.recordPermission as Any),
      (
        "AVAudioSession.requestRecordPermission(_:)",
        s.requestRecordPermission(_:) as (@escaping @Sendable (Bool) -> Void) -> Void as Any
      ),
      (
        "AVAudioSession.overrideOutputAudioPort(_:)",
        s.overrideOutputAudioPort(_:) as (AVAudioSession.PortOverride) throws -> Void as Any
      ),
      (
        "AVAudioSession.setPreferredInput(_:)",
        s.setPreferredInput(_:) as (AVAudioSessionPortDescription?) throws -> Void as Any
      ),
      ("AVAudioSession.preferredInput", \AVAudioSession.preferredInput as Any),
      (
        "AVAudioSession.setPrefersNoInterruptionsFromSystemAlerts(_:)",
        s.setPrefersNoInterruptionsFromSystemAlerts(_:) as (Bool) throws -> Void as Any
      ),
      (
        "AVAudioSession.prefersNoInterruptionsFromSystemAlerts",
        \AVAudioSession.prefersNoInterruptionsFromSystemAlerts as Any
      ),
      ("AVAudioSession.renderingMode", \AVAudioSession.renderingMode as Any),
      (
        "AVAudioSession.setPrefersEchoCancelledInput(_:)",
        s.setPrefersEchoCancelledInput(_:) as (Bool) throws -> Void as Any
      ),
      (
        "AVAudioSession.prefersEchoCancelledInput", \AVAudioSession.prefersEchoCancelledInput as Any
      ),
    ]
  }

  private static func part2() -> [(name: String, symbol: Any)] {
    [
      (
        "AVAudioSession.isEchoCancelledInputEnabled",
        \AVAudioSession.isEchoCancelledInputEnabled as Any
      ),
      (
        "AVAudioSession.isEchoCancelledInputAvailable",
        \AVAudioSession.isEchoCancelledInputAvailable as Any
      ),
      ("AVAudioSession.setOutputMuted(_:)", s.setOutputMuted(_:) as (Bool) throws -> Void as Any),
      ("AVAudioSession.isOutputMuted", \AVAudioSession.isOutputMuted as Any),
      (
        "AVAudioSession.prepareRouteSelectionForPlayback(completionHandler:)",
        s.prepareRouteSelectionForPlayback(completionHandler:)
          as (@escaping @Sendable (Bool, AVAudioSession.RouteSelection) -> Void) -> Void as Any
      ),
      ("AVAudioSession.setActive(_:)", s.setActive(_:) as (Bool) throws -> Void as Any),
      (
        "AVAudioSession.setActive(_:options:)",
        s.setActive(_:options:) as (Bool, AVAudioSession.SetActiveOptions) throws -> Void as Any
      ),
      (
        "AVAudioSession.activate(options:completionHandler:)",
        s.activate(options:completionHandler:)
          as (AVAudioSessionActivationOptions, @escaping @Sendable (Bool, (any Error)?) -> Void) ->
          Void as Any
      ),
      (
        "AVAudioSession.activate(options:)",
        s.activate(options:) as (AVAudioSessionActivationOptions) async throws -> Bool as Any
      ),
      (
        "AVAudioSession.deactivate(options:completionHandler:)",
        s.deactivate(options:completionHandler:)
          as (AVAudioSessionDeactivationOptions, @escaping @Sendable (Bool, (any Error)?) -> Void)
          -> Void as Any
      ),
      (
        "AVAudioSession.deactivate(options:)",
        s.deactivate(options:) as (AVAudioSessionDeactivationOptions) async throws -> Bool as Any
      ),
      (
        "AVAudioSession.setPreferredSampleRate(_:)",
        s.setPreferredSampleRate(_:) as (Double) throws -> Void as Any
      ),
      ("AVAudioSession.preferredSampleRate", \AVAudioSession.preferredSampleRate as Any),
      (
        "AVAudioSession.setPreferredIOBufferDuration(_:)",
        s.setPreferredIOBufferDuration(_:) as (TimeInterval) throws -> Void as Any
      ),
      (
        "AVAudioSession.preferredIOBufferDuration", \AVAudioSession.preferredIOBufferDuration as Any
      ),
      (
        "AVAudioSession.setPreferredInputNumberOfChannels(_:)",
        s.setPreferredInputNumberOfChannels(_:) as (Int) throws -> Void as Any
      ),
      (
        "AVAudioSession.preferredInputNumberOfChannels",
        \AVAudioSession.preferredInputNumberOfChannels as Any
      ),
      (
        "AVAudioSession.setPreferredOutputNumberOfChannels(_:)",
        s.setPreferredOutputNumberOfChannels(_:) as (Int) throws -> Void as Any
      ),
      (
        "AVAudioSession.preferredOutputNumberOfChannels",
        \AVAudioSession.preferredOutputNumberOfChannels as Any
      ),
      (
        "AVAudioSession.setPreferredInputOrientation(_:)",
        s.setPreferredInputOrientation(_:) as (AVAudioSession.StereoOrientation) throws -> Void
          as Any
      ),
      (
        "AVAudioSession.preferredInputOrientation", \AVAudioSession.preferredInputOrientation as Any
      ),
      ("AVAudioSession.inputOrientation", \AVAudioSession.inputOrientation as Any),
      (
        "AVAudioSession.maximumInputNumberOfChannels",
        \AVAudioSession.maximumInputNumberOfChannels as Any
      ),
      (
        "AVAudioSession.maximumOutputNumberOfChannels",
        \AVAudioSession.maximumOutputNumberOfChannels as Any
      ),
      ("AVAudioSession.setInputGain(_:)", s.setInputGain(_:) as (Float) throws -> Void as Any),
    ]
  }

  private static func part3() -> [(name: String, symbol: Any)] {
    [
      ("AVAudioSession.inputGain", \AVAudioSession.inputGain as Any),
      ("AVAudioSession.isInputGainSettable", \AVAudioSession.isInputGainSettable as Any),
      ("AVAudioSession.isInputAvailable", \AVAudioSession.isInputAvailable as Any),
      ("AVAudioSession.inputDataSources", \AVAudioSession.inputDataSources as Any),
      ("AVAudioSession.inputDataSource", \AVAudioSession.inputDataSource as Any),
      (
        "AVAudioSession.setInputDataSource(_:)",
        s.setInputDataSource(_:) as (AVAudioSessionDataSourceDescription?) throws -> Void as Any
      ),
      ("AVAudioSession.outputDataSources", \AVAudioSession.outputDataSources as Any),
      ("AVAudioSession.outputDataSource", \AVAudioSession.outputDataSource as Any),
      (
        "AVAudioSession.setOutputDataSource(_:)",
        s.setOutputDataSource(_:) as (AVAudioSessionDataSourceDescription?) throws -> Void as Any
      ),
      ("AVAudioSession.sampleRate", \AVAudioSession.sampleRate as Any),
      ("AVAudioSession.inputNumberOfChannels", \AVAudioSession.inputNumberOfChannels as Any),
      ("AVAudioSession.outputNumberOfChannels", \AVAudioSession.outputNumberOfChannels as Any),
      ("AVAudioSession.inputLatency", \AVAudioSession.inputLatency as Any),
      ("AVAudioSession.outputLatency", \AVAudioSession.outputLatency as Any),
      ("AVAudioSession.ioBufferDuration", \AVAudioSession.ioBufferDuration as Any),
      (
        "AVAudioSession.supportedOutputChannelLayouts",
        \AVAudioSession.supportedOutputChannelLayouts as Any
      ),
      ("AVAudioSession.isOtherAudioPlaying", \AVAudioSession.isOtherAudioPlaying as Any),
      (
        "AVAudioSession.secondaryAudioShouldBeSilencedHint",
        \AVAudioSession.secondaryAudioShouldBeSilencedHint as Any
      ),
      ("AVAudioSession.outputVolume", \AVAudioSession.outputVolume as Any),
      ("AVAudioSession.promptStyle", \AVAudioSession.promptStyle as Any),
      ("AVAudioSession.availableInputs", \AVAudioSession.availableInputs as Any),
      ("AVAudioSession.currentRoute", \AVAudioSession.currentRoute as Any),
      (
        "AVAudioSession.setAggregatedIOPreference(_:)",
        s.setAggregatedIOPreference(_:) as (AVAudioSession.IOType) throws -> Void as Any
      ),
      (
        "AVAudioSession.setSupportsMultichannelContent(_:)",
        s.setSupportsMultichannelContent(_:) as (Bool) throws -> Void as Any
      ),
      (
        "AVAudioSession.supportsMultichannelContent",
        \AVAudioSession.supportsMultichannelContent as Any
      ),
    ]
  }

  private static func part4() -> [(name: String, symbol: Any)] {
    [
      (
        "AVAudioSession.setPrefersInterruptionOnRouteDisconnect(_:)",
        s.setPrefersInterruptionOnRouteDisconnect(_:) as (Bool) throws -> Void as Any
      ),
      (
        "AVAudioSession.prefersInterruptionOnRouteDisconnect",
        \AVAudioSession.prefersInterruptionOnRouteDisconnect as Any
      ),
      (
        "AVAudioSession.setPreferredMicrophoneInjectionMode(_:)",
        s.setPreferredMicrophoneInjectionMode(_:)
          as (AVAudioSession.MicrophoneInjectionMode) throws -> Void as Any
      ),
      (
        "AVAudioSession.preferredMicrophoneInjectionMode",
        \AVAudioSession.preferredMicrophoneInjectionMode as Any
      ),
      (
        "AVAudioSession.isMicrophoneInjectionAvailable",
        \AVAudioSession.isMicrophoneInjectionAvailable as Any
      ),
      ("AVAudioSession.delegate", \AVAudioSession.delegate as Any),
      (
        "AVAudioSession.setActive(_:withFlags:)",
        s.setActive(_:withFlags:) as (Bool, Int) throws -> Void as Any
      ),
      ("AVAudioSession.inputIsAvailable", \AVAudioSession.inputIsAvailable as Any),
      (
        "AVAudioSession.currentHardwareSampleRate", \AVAudioSession.currentHardwareSampleRate as Any
      ),
      (
        "AVAudioSession.currentHardwareInputNumberOfChannels",
        \AVAudioSession.currentHardwareInputNumberOfChannels as Any
      ),
      (
        "AVAudioSession.currentHardwareOutputNumberOfChannels",
        \AVAudioSession.currentHardwareOutputNumberOfChannels as Any
      ),
      (
        "AVAudioSession.preferredHardwareSampleRate",
        \AVAudioSession.preferredHardwareSampleRate as Any
      ),
      (
        "AVAudioSession.setPreferredHardwareSampleRate(_:)",
        s.setPreferredHardwareSampleRate(_:) as (Double) throws -> Void as Any
      ),
      ("AVAudioSessionDelegate", (any AVAudioSessionDelegate).self as Any),
      ("AVAudioSession.Category.ambient", AVAudioSession.Category.ambient as Any),
      ("AVAudioSession.Category.soloAmbient", AVAudioSession.Category.soloAmbient as Any),
      ("AVAudioSession.Category.playback", AVAudioSession.Category.playback as Any),
      ("AVAudioSession.Category.record", AVAudioSession.Category.record as Any),
      ("AVAudioSession.Category.playAndRecord", AVAudioSession.Category.playAndRecord as Any),
      ("AVAudioSession.Category.audioProcessing", AVAudioSession.Category.audioProcessing as Any),
      ("AVAudioSession.Category.multiRoute", AVAudioSession.Category.multiRoute as Any),
      ("AVAudioSession.Mode.default", AVAudioSession.Mode.default as Any),
      ("AVAudioSession.Mode.voiceChat", AVAudioSession.Mode.voiceChat as Any),
      ("AVAudioSession.Mode.gameChat", AVAudioSession.Mode.gameChat as Any),
      ("AVAudioSession.Mode.videoRecording", AVAudioSession.Mode.videoRecording as Any),
    ]
  }

  private static func part5() -> [(name: String, symbol: Any)] {
    [
      ("AVAudioSession.Mode.measurement", AVAudioSession.Mode.measurement as Any),
      ("AVAudioSession.Mode.moviePlayback", AVAudioSession.Mode.moviePlayback as Any),
      ("AVAudioSession.Mode.videoChat", AVAudioSession.Mode.videoChat as Any),
      ("AVAudioSession.Mode.spokenAudio", AVAudioSession.Mode.spokenAudio as Any),
      ("AVAudioSession.Mode.voicePrompt", AVAudioSession.Mode.voicePrompt as Any),
      ("AVAudioSession.Mode.shortFormVideo", AVAudioSession.Mode.shortFormVideo as Any),
      ("AVAudioSession.Mode.dualRoute", AVAudioSession.Mode.dualRoute as Any),
      (
        "AVAudioSession.CategoryOptions.mixWithOthers",
        AVAudioSession.CategoryOptions.mixWithOthers as Any
      ),
      (
        "AVAudioSession.CategoryOptions.duckOthers",
        AVAudioSession.CategoryOptions.duckOthers as Any
      ),
      (
        "AVAudioSession.CategoryOptions.allowBluetooth",
        AVAudioSession.CategoryOptions.allowBluetooth as Any
      ),
      (
        "AVAudioSession.CategoryOptions.allowBluetoothHFP",
        AVAudioSession.CategoryOptions.allowBluetoothHFP as Any
      ),
      (
        "AVAudioSession.CategoryOptions.defaultToSpeaker",
        AVAudioSession.CategoryOptions.defaultToSpeaker as Any
      ),
      (
        "AVAudioSession.CategoryOptions.interruptSpokenAudioAndMixWithOthers",
        AVAudioSession.CategoryOptions.interruptSpokenAudioAndMixWithOthers as Any
      ),
      (
        "AVAudioSession.CategoryOptions.allowBluetoothA2DP",
        AVAudioSession.CategoryOptions.allowBluetoothA2DP as Any
      ),
      (
        "AVAudioSession.CategoryOptions.allowAirPlay",
        AVAudioSession.CategoryOptions.allowAirPlay as Any
      ),
      (
        "AVAudioSession.CategoryOptions.overrideMutedMicrophoneInterruption",
        AVAudioSession.CategoryOptions.overrideMutedMicrophoneInterruption as Any
      ),
      (
        "AVAudioSession.CategoryOptions.farFieldInput",
        AVAudioSession.CategoryOptions.farFieldInput as Any
      ),
      (
        "AVAudioSession.CategoryOptions.bluetoothHighQualityRecording",
        AVAudioSession.CategoryOptions.bluetoothHighQualityRecording as Any
      ),
      (
        "AVAudioSession.SetActiveOptions.notifyOthersOnDeactivation",
        AVAudioSession.SetActiveOptions.notifyOthersOnDeactivation as Any
      ),
      ("AVAudioSessionActivationOptions", AVAudioSessionActivationOptions() as Any),
      (
        "AVAudioSessionDeactivationOptions.notifyOthersOnDeactivation",
        AVAudioSessionDeactivationOptions.notifyOthersOnDeactivation as Any
      ),
      ("AVAudioSession.PortOverride.none", AVAudioSession.PortOverride.none as Any),
      ("AVAudioSession.PortOverride.speaker", AVAudioSession.PortOverride.speaker as Any),
      ("AVAudioSession.RouteChangeReason.unknown", AVAudioSession.RouteChangeReason.unknown as Any),
      (
        "AVAudioSession.RouteChangeReason.newDeviceAvailable",
        AVAudioSession.RouteChangeReason.newDeviceAvailable as Any
      ),
    ]
  }

  private static func part6() -> [(name: String, symbol: Any)] {
    [
      (
        "AVAudioSession.RouteChangeReason.oldDeviceUnavailable",
        AVAudioSession.RouteChangeReason.oldDeviceUnavailable as Any
      ),
      (
        "AVAudioSession.RouteChangeReason.categoryChange",
        AVAudioSession.RouteChangeReason.categoryChange as Any
      ),
      (
        "AVAudioSession.RouteChangeReason.override",
        AVAudioSession.RouteChangeReason.override as Any
      ),
      (
        "AVAudioSession.RouteChangeReason.noSuitableRouteForCategory",
        AVAudioSession.RouteChangeReason.noSuitableRouteForCategory as Any
      ),
      (
        "AVAudioSession.RouteChangeReason.routeConfigurationChange",
        AVAudioSession.RouteChangeReason.routeConfigurationChange as Any
      ),
      (
        "AVAudioSession.RouteChangeReason.wakeFromSleep",
        AVAudioSession.RouteChangeReason.wakeFromSleep as Any
      ),
      ("AVAudioSession.InterruptionType.ended", AVAudioSession.InterruptionType.ended as Any),
      ("AVAudioSession.InterruptionType.began", AVAudioSession.InterruptionType.began as Any),
      (
        "AVAudioSession.InterruptionOptions.shouldResume",
        AVAudioSession.InterruptionOptions.shouldResume as Any
      ),
      (
        "AVAudioSession.InterruptionReason.default",
        AVAudioSession.InterruptionReason.default as Any
      ),
      (
        "AVAudioSession.InterruptionReason.appWasSuspended",
        AVAudioSession.InterruptionReason.appWasSuspended as Any
      ),
      (
        "AVAudioSession.InterruptionReason.builtInMicMuted",
        AVAudioSession.InterruptionReason.builtInMicMuted as Any
      ),
      (
        "AVAudioSession.InterruptionReason.routeDisconnected",
        AVAudioSession.InterruptionReason.routeDisconnected as Any
      ),
      (
        "AVAudioSession.InterruptionReason.sceneWasBackgrounded",
        AVAudioSession.InterruptionReason.sceneWasBackgrounded as Any
      ),
      (
        "AVAudioSession.InterruptionReason.deviceUnauthenticated",
        AVAudioSession.InterruptionReason.deviceUnauthenticated as Any
      ),
      ("AVAudioSession.DeactivationSource.app", AVAudioSession.DeactivationSource.app as Any),
      ("AVAudioSession.DeactivationSource.system", AVAudioSession.DeactivationSource.system as Any),
      (
        "AVAudioSession.ResumptionRecommendation.shouldNotResume",
        AVAudioSession.ResumptionRecommendation.shouldNotResume as Any
      ),
      (
        "AVAudioSession.ResumptionRecommendation.shouldResume",
        AVAudioSession.ResumptionRecommendation.shouldResume as Any
      ),
      (
        "AVAudioSession.SilenceSecondaryAudioHintType.end",
        AVAudioSession.SilenceSecondaryAudioHintType.end as Any
      ),
      (
        "AVAudioSession.SilenceSecondaryAudioHintType.begin",
        AVAudioSession.SilenceSecondaryAudioHintType.begin as Any
      ),
      ("AVAudioSession.IOType.notSpecified", AVAudioSession.IOType.notSpecified as Any),
      ("AVAudioSession.IOType.aggregated", AVAudioSession.IOType.aggregated as Any),
      (
        "AVAudioSession.RouteSharingPolicy.default",
        AVAudioSession.RouteSharingPolicy.default as Any
      ),
      (
        "AVAudioSession.RouteSharingPolicy.longFormAudio",
        AVAudioSession.RouteSharingPolicy.longFormAudio as Any
      ),
    ]
  }

  private static func part7() -> [(name: String, symbol: Any)] {
    [
      (
        "AVAudioSession.RouteSharingPolicy.longFormVideo",
        AVAudioSession.RouteSharingPolicy.longFormVideo as Any
      ),
      (
        "AVAudioSession.RouteSharingPolicy.independent",
        AVAudioSession.RouteSharingPolicy.independent as Any
      ),
      (
        "AVAudioSession.RouteSharingPolicy.longForm",
        AVAudioSession.RouteSharingPolicy.longForm as Any
      ),
      ("AVAudioSession.RouteSelection.none", AVAudioSession.RouteSelection.none as Any),
      ("AVAudioSession.RouteSelection.local", AVAudioSession.RouteSelection.local as Any),
      ("AVAudioSession.RouteSelection.external", AVAudioSession.RouteSelection.external as Any),
      ("AVAudioSession.PromptStyle.none", AVAudioSession.PromptStyle.none as Any),
      ("AVAudioSession.PromptStyle.short", AVAudioSession.PromptStyle.short as Any),
      ("AVAudioSession.PromptStyle.normal", AVAudioSession.PromptStyle.normal as Any),
      ("AVAudioSession.StereoOrientation.none", AVAudioSession.StereoOrientation.none as Any),
      (
        "AVAudioSession.StereoOrientation.portrait",
        AVAudioSession.StereoOrientation.portrait as Any
      ),
      (
        "AVAudioSession.StereoOrientation.portraitUpsideDown",
        AVAudioSession.StereoOrientation.portraitUpsideDown as Any
      ),
      (
        "AVAudioSession.StereoOrientation.landscapeRight",
        AVAudioSession.StereoOrientation.landscapeRight as Any
      ),
      (
        "AVAudioSession.StereoOrientation.landscapeLeft",
        AVAudioSession.StereoOrientation.landscapeLeft as Any
      ),
      (
        "AVAudioSession.RecordPermission.undetermined",
        AVAudioSession.RecordPermission.undetermined as Any
      ),
      ("AVAudioSession.RecordPermission.denied", AVAudioSession.RecordPermission.denied as Any),
      ("AVAudioSession.RecordPermission.granted", AVAudioSession.RecordPermission.granted as Any),
      (
        "AVAudioSession.RenderingMode.notApplicable",
        AVAudioSession.RenderingMode.notApplicable as Any
      ),
      ("AVAudioSession.RenderingMode.monoStereo", AVAudioSession.RenderingMode.monoStereo as Any),
      ("AVAudioSession.RenderingMode.surround", AVAudioSession.RenderingMode.surround as Any),
      (
        "AVAudioSession.RenderingMode.spatialAudio",
        AVAudioSession.RenderingMode.spatialAudio as Any
      ),
      ("AVAudioSession.RenderingMode.dolbyAudio", AVAudioSession.RenderingMode.dolbyAudio as Any),
      ("AVAudioSession.RenderingMode.dolbyAtmos", AVAudioSession.RenderingMode.dolbyAtmos as Any),
      (
        "AVAudioSession.MicrophoneInjectionMode.none",
        AVAudioSession.MicrophoneInjectionMode.none as Any
      ),
      (
        "AVAudioSession.MicrophoneInjectionMode.spokenAudio",
        AVAudioSession.MicrophoneInjectionMode.spokenAudio as Any
      ),
    ]
  }

  private static func part8() -> [(name: String, symbol: Any)] {
    [
      ("AVAudioSession.ErrorCode.none", AVAudioSession.ErrorCode.none as Any),
      (
        "AVAudioSession.ErrorCode.mediaServicesFailed",
        AVAudioSession.ErrorCode.mediaServicesFailed as Any
      ),
      ("AVAudioSession.ErrorCode.isBusy", AVAudioSession.ErrorCode.isBusy as Any),
      (
        "AVAudioSession.ErrorCode.incompatibleCategory",
        AVAudioSession.ErrorCode.incompatibleCategory as Any
      ),
      (
        "AVAudioSession.ErrorCode.cannotInterruptOthers",
        AVAudioSession.ErrorCode.cannotInterruptOthers as Any
      ),
      (
        "AVAudioSession.ErrorCode.missingEntitlement",
        AVAudioSession.ErrorCode.missingEntitlement as Any
      ),
      ("AVAudioSession.ErrorCode.siriIsRecording", AVAudioSession.ErrorCode.siriIsRecording as Any),
      (
        "AVAudioSession.ErrorCode.cannotStartPlaying",
        AVAudioSession.ErrorCode.cannotStartPlaying as Any
      ),
      (
        "AVAudioSession.ErrorCode.cannotStartRecording",
        AVAudioSession.ErrorCode.cannotStartRecording as Any
      ),
      ("AVAudioSession.ErrorCode.badParam", AVAudioSession.ErrorCode.badParam as Any),
      (
        "AVAudioSession.ErrorCode.insufficientPriority",
        AVAudioSession.ErrorCode.insufficientPriority as Any
      ),
      (
        "AVAudioSession.ErrorCode.resourceNotAvailable",
        AVAudioSession.ErrorCode.resourceNotAvailable as Any
      ),
      ("AVAudioSession.ErrorCode.unspecified", AVAudioSession.ErrorCode.unspecified as Any),
      ("AVAudioSession.ErrorCode.expiredSession", AVAudioSession.ErrorCode.expiredSession as Any),
      (
        "AVAudioSession.ErrorCode.sessionNotActive",
        AVAudioSession.ErrorCode.sessionNotActive as Any
      ),
      ("AVAudioSessionErrorInsufficientPriority", AVAudioSessionErrorInsufficientPriority as Any),
      ("AVAudioSession.Port.lineIn", AVAudioSession.Port.lineIn as Any),
      ("AVAudioSession.Port.builtInMic", AVAudioSession.Port.builtInMic as Any),
      ("AVAudioSession.Port.headsetMic", AVAudioSession.Port.headsetMic as Any),
      ("AVAudioSession.Port.continuityMicrophone", AVAudioSession.Port.continuityMicrophone as Any),
      ("AVAudioSession.Port.lineOut", AVAudioSession.Port.lineOut as Any),
      ("AVAudioSession.Port.headphones", AVAudioSession.Port.headphones as Any),
      ("AVAudioSession.Port.bluetoothA2DP", AVAudioSession.Port.bluetoothA2DP as Any),
      ("AVAudioSession.Port.builtInReceiver", AVAudioSession.Port.builtInReceiver as Any),
      ("AVAudioSession.Port.builtInSpeaker", AVAudioSession.Port.builtInSpeaker as Any),
    ]
  }

  private static func part9() -> [(name: String, symbol: Any)] {
    [
      ("AVAudioSession.Port.HDMI", AVAudioSession.Port.HDMI as Any),
      ("AVAudioSession.Port.airPlay", AVAudioSession.Port.airPlay as Any),
      ("AVAudioSession.Port.bluetoothLE", AVAudioSession.Port.bluetoothLE as Any),
      ("AVAudioSession.Port.bluetoothHFP", AVAudioSession.Port.bluetoothHFP as Any),
      ("AVAudioSession.Port.usbAudio", AVAudioSession.Port.usbAudio as Any),
      ("AVAudioSession.Port.carAudio", AVAudioSession.Port.carAudio as Any),
      ("AVAudioSession.Port.virtual", AVAudioSession.Port.virtual as Any),
      ("AVAudioSession.Port.PCI", AVAudioSession.Port.PCI as Any),
      ("AVAudioSession.Port.fireWire", AVAudioSession.Port.fireWire as Any),
      ("AVAudioSession.Port.displayPort", AVAudioSession.Port.displayPort as Any),
      ("AVAudioSession.Port.AVB", AVAudioSession.Port.AVB as Any),
      ("AVAudioSession.Port.thunderbolt", AVAudioSession.Port.thunderbolt as Any),
      ("AVAudioSession.Port.mediaDeviceExtension", AVAudioSession.Port.mediaDeviceExtension as Any),
      ("AVAudioSession.Location.upper", AVAudioSession.Location.upper as Any),
      ("AVAudioSession.Location.lower", AVAudioSession.Location.lower as Any),
      ("AVAudioSession.Location.orientationTop", AVAudioSession.Location.orientationTop as Any),
      (
        "AVAudioSession.Location.orientationBottom",
        AVAudioSession.Location.orientationBottom as Any
      ),
      ("AVAudioSession.Location.orientationFront", AVAudioSession.Location.orientationFront as Any),
      ("AVAudioSession.Location.orientationBack", AVAudioSession.Location.orientationBack as Any),
      ("AVAudioSession.Location.orientationLeft", AVAudioSession.Location.orientationLeft as Any),
      ("AVAudioSession.Location.orientationRight", AVAudioSession.Location.orientationRight as Any),
      (
        "AVAudioSession.Location.polarPatternCardioid",
        AVAudioSession.Location.polarPatternCardioid as Any
      ),
      (
        "AVAudioSession.Location.polarPatternOmnidirectional",
        AVAudioSession.Location.polarPatternOmnidirectional as Any
      ),
      (
        "AVAudioSession.Location.polarPatternSubcardioid",
        AVAudioSession.Location.polarPatternSubcardioid as Any
      ),
      ("AVAudioSession.Orientation.top", AVAudioSession.Orientation.top as Any),
    ]
  }

  private static func part10() -> [(name: String, symbol: Any)] {
    [
      ("AVAudioSession.Orientation.bottom", AVAudioSession.Orientation.bottom as Any),
      ("AVAudioSession.Orientation.front", AVAudioSession.Orientation.front as Any),
      ("AVAudioSession.Orientation.back", AVAudioSession.Orientation.back as Any),
      ("AVAudioSession.Orientation.left", AVAudioSession.Orientation.left as Any),
      ("AVAudioSession.Orientation.right", AVAudioSession.Orientation.right as Any),
      (
        "AVAudioSession.PolarPattern.omnidirectional",
        AVAudioSession.PolarPattern.omnidirectional as Any
      ),
      ("AVAudioSession.PolarPattern.cardioid", AVAudioSession.PolarPattern.cardioid as Any),
      ("AVAudioSession.PolarPattern.subcardioid", AVAudioSession.PolarPattern.subcardioid as Any),
      ("AVAudioSession.PolarPattern.stereo", AVAudioSession.PolarPattern.stereo as Any),
      ("AVAudioSessionRouteDescription.inputs", \AVAudioSessionRouteDescription.inputs as Any),
      ("AVAudioSessionRouteDescription.outputs", \AVAudioSessionRouteDescription.outputs as Any),
      ("AVAudioSessionPortDescription.portType", \AVAudioSessionPortDescription.portType as Any),
      ("AVAudioSessionPortDescription.portName", \AVAudioSessionPortDescription.portName as Any),
      ("AVAudioSessionPortDescription.uid", \AVAudioSessionPortDescription.uid as Any),
      ("AVAudioSessionPortDescription.channels", \AVAudioSessionPortDescription.channels as Any),
      (
        "AVAudioSessionPortDescription.hasHardwareVoiceCallProcessing",
        \AVAudioSessionPortDescription.hasHardwareVoiceCallProcessing as Any
      ),
      (
        "AVAudioSessionPortDescription.isSpatialAudioEnabled",
        \AVAudioSessionPortDescription.isSpatialAudioEnabled as Any
      ),
      (
        "AVAudioSessionPortDescription.dataSources",
        \AVAudioSessionPortDescription.dataSources as Any
      ),
      (
        "AVAudioSessionPortDescription.selectedDataSource",
        \AVAudioSessionPortDescription.selectedDataSource as Any
      ),
      (
        "AVAudioSessionPortDescription.preferredDataSource",
        \AVAudioSessionPortDescription.preferredDataSource as Any
      ),
      (
        "AVAudioSessionPortDescription.setPreferredDataSource(_:)",
        AVAudioSessionPortDescription.setPreferredDataSource(_:) as Any
      ),
      (
        "AVAudioSessionPortDescription.bluetoothMicrophoneExtension",
        \AVAudioSessionPortDescription.bluetoothMicrophoneExtension as Any
      ),
      (
        "AVAudioSessionPortExtensionBluetoothMicrophone.highQualityRecording",
        \AVAudioSessionPortExtensionBluetoothMicrophone.highQualityRecording as Any
      ),
      (
        "AVAudioSessionPortExtensionBluetoothMicrophone.farFieldCapture",
        \AVAudioSessionPortExtensionBluetoothMicrophone.farFieldCapture as Any
      ),
      ("AVAudioSessionCapability.isSupported", \AVAudioSessionCapability.isSupported as Any),
    ]
  }

  private static func part11() -> [(name: String, symbol: Any)] {
    [
      ("AVAudioSessionCapability.isEnabled", \AVAudioSessionCapability.isEnabled as Any),
      (
        "AVAudioSessionChannelDescription.channelName",
        \AVAudioSessionChannelDescription.channelName as Any
      ),
      (
        "AVAudioSessionChannelDescription.owningPortUID",
        \AVAudioSessionChannelDescription.owningPortUID as Any
      ),
      (
        "AVAudioSessionChannelDescription.channelNumber",
        \AVAudioSessionChannelDescription.channelNumber as Any
      ),
      (
        "AVAudioSessionChannelDescription.channelLabel",
        \AVAudioSessionChannelDescription.channelLabel as Any
      ),
      (
        "AVAudioSessionDataSourceDescription.dataSourceID",
        \AVAudioSessionDataSourceDescription.dataSourceID as Any
      ),
      (
        "AVAudioSessionDataSourceDescription.dataSourceName",
        \AVAudioSessionDataSourceDescription.dataSourceName as Any
      ),
      (
        "AVAudioSessionDataSourceDescription.location",
        \AVAudioSessionDataSourceDescription.location as Any
      ),
      (
        "AVAudioSessionDataSourceDescription.orientation",
        \AVAudioSessionDataSourceDescription.orientation as Any
      ),
      (
        "AVAudioSessionDataSourceDescription.supportedPolarPatterns",
        \AVAudioSessionDataSourceDescription.supportedPolarPatterns as Any
      ),
      (
        "AVAudioSessionDataSourceDescription.selectedPolarPattern",
        \AVAudioSessionDataSourceDescription.selectedPolarPattern as Any
      ),
      (
        "AVAudioSessionDataSourceDescription.preferredPolarPattern",
        \AVAudioSessionDataSourceDescription.preferredPolarPattern as Any
      ),
      (
        "AVAudioSessionDataSourceDescription.setPreferredPolarPattern(_:)",
        AVAudioSessionDataSourceDescription.setPreferredPolarPattern(_:) as Any
      ),
      ("AVAudioSession.interruptionNotification", AVAudioSession.interruptionNotification as Any),
      ("AVAudioSession.routeChangeNotification", AVAudioSession.routeChangeNotification as Any),
      (
        "AVAudioSession.mediaServicesWereLostNotification",
        AVAudioSession.mediaServicesWereLostNotification as Any
      ),
      (
        "AVAudioSession.mediaServicesWereResetNotification",
        AVAudioSession.mediaServicesWereResetNotification as Any
      ),
      (
        "AVAudioSession.silenceSecondaryAudioHintNotification",
        AVAudioSession.silenceSecondaryAudioHintNotification as Any
      ),
      (
        "AVAudioSession.availableInputsChangeNotification",
        AVAudioSession.availableInputsChangeNotification as Any
      ),
      (
        "AVAudioSession.outputMuteStateChangeNotification",
        AVAudioSession.outputMuteStateChangeNotification as Any
      ),
      (
        "AVAudioSession.didBecomeActiveNotification",
        AVAudioSession.didBecomeActiveNotification as Any
      ),
      (
        "AVAudioSession.didBecomeInactiveNotification",
        AVAudioSession.didBecomeInactiveNotification as Any
      ),
      (
        "AVAudioSession.resumptionRecommendationNotification",
        AVAudioSession.resumptionRecommendationNotification as Any
      ),
      (
        "AVAudioSession.spatialPlaybackCapabilitiesChangedNotification",
        AVAudioSession.spatialPlaybackCapabilitiesChangedNotification as Any
      ),
      (
        "AVAudioSession.renderingModeChangeNotification",
        AVAudioSession.renderingModeChangeNotification as Any
      ),
    ]
  }

  private static func part12() -> [(name: String, symbol: Any)] {
    [
      (
        "AVAudioSession.renderingCapabilitiesChangeNotification",
        AVAudioSession.renderingCapabilitiesChangeNotification as Any
      ),
      (
        "AVAudioSession.microphoneInjectionCapabilitiesChangeNotification",
        AVAudioSession.microphoneInjectionCapabilitiesChangeNotification as Any
      ),
      (
        "AVAudioSession.userIntentToUnmuteOutputNotification",
        AVAudioSession.userIntentToUnmuteOutputNotification as Any
      ),
      ("AVAudioSessionInterruptionTypeKey", AVAudioSessionInterruptionTypeKey as Any),
      ("AVAudioSessionInterruptionOptionKey", AVAudioSessionInterruptionOptionKey as Any),
      ("AVAudioSessionInterruptionReasonKey", AVAudioSessionInterruptionReasonKey as Any),
      (
        "AVAudioSessionInterruptionWasSuspendedKey",
        AVAudioSessionInterruptionWasSuspendedKey as Any
      ),
      ("AVAudioSessionRouteChangeReasonKey", AVAudioSessionRouteChangeReasonKey as Any),
      (
        "AVAudioSessionRouteChangePreviousRouteKey",
        AVAudioSessionRouteChangePreviousRouteKey as Any
      ),
      (
        "AVAudioSessionSilenceSecondaryAudioHintTypeKey",
        AVAudioSessionSilenceSecondaryAudioHintTypeKey as Any
      ),
      ("AVAudioSessionSpatialAudioEnabledKey", AVAudioSessionSpatialAudioEnabledKey as Any),
      (
        "AVAudioSessionRenderingModeNewRenderingModeKey",
        AVAudioSessionRenderingModeNewRenderingModeKey as Any
      ),
      (
        "AVAudioSessionMicrophoneInjectionIsAvailableKey",
        AVAudioSessionMicrophoneInjectionIsAvailableKey as Any
      ),
      ("AVAudioSession.muteStateKey", AVAudioSession.muteStateKey as Any),
      ("AVAudioSession.deactivationContextKey", AVAudioSession.deactivationContextKey as Any),
      ("AVAudioSession.resumptionContextKey", AVAudioSession.resumptionContextKey as Any),
      (
        "AVAudioSession.InterruptionContext.reason",
        \AVAudioSession.InterruptionContext.reason as Any
      ),
      (
        "AVAudioSession.DeactivationContext.source",
        \AVAudioSession.DeactivationContext.source as Any
      ),
      (
        "AVAudioSession.DeactivationContext.interruptionContext",
        \AVAudioSession.DeactivationContext.interruptionContext as Any
      ),
      (
        "AVAudioSession.ResumptionContext.recommendation",
        \AVAudioSession.ResumptionContext.recommendation as Any
      ),
      ("AVAudioSession.DidBecomeActiveMessage", AVAudioSession.DidBecomeActiveMessage.self as Any),
      (
        "AVAudioSession.DidBecomeInactiveMessage.deactivationResult",
        \AVAudioSession.DidBecomeInactiveMessage.deactivationResult as Any
      ),
      (
        "AVAudioSession.ResumptionRecommendationMessage.recommendation",
        \AVAudioSession.ResumptionRecommendationMessage.recommendation as Any
      ),
      ("AVAudioSession.DeactivationResult", AVAudioSession.DeactivationResult.self as Any),
      ("AVAudioApplication.shared", AVAudioApplication.shared as Any),
    ]
  }

  private static func part13() -> [(name: String, symbol: Any)] {
    [
      ("AVAudioApplication.recordPermission", AVAudioApplication.shared.recordPermission as Any),
      (
        "AVAudioApplication.recordPermission.undetermined",
        AVAudioApplication.recordPermission.undetermined as Any
      ),
      (
        "AVAudioApplication.recordPermission.denied",
        AVAudioApplication.recordPermission.denied as Any
      ),
      (
        "AVAudioApplication.recordPermission.granted",
        AVAudioApplication.recordPermission.granted as Any
      ),
      (
        "AVAudioApplication.requestRecordPermission(completionHandler:)",
        AVAudioApplication.requestRecordPermission(completionHandler:) as Any
      ),
      ("AVAudioApplication.setInputMuted(_:)", AVAudioApplication.setInputMuted(_:) as Any),
      ("AVAudioApplication.isInputMuted", \AVAudioApplication.isInputMuted as Any),
      (
        "AVAudioApplication.setInputMuteStateChangeHandler(_:)",
        AVAudioApplication.setInputMuteStateChangeHandler(_:) as Any
      ),
      (
        "AVAudioApplication.inputMuteStateChangeNotification",
        AVAudioApplication.inputMuteStateChangeNotification as Any
      ),
      ("AVAudioApplication.muteStateKey", AVAudioApplication.muteStateKey as Any),
      (
        "AVAudioApplication.microphoneInjectionPermission",
        \AVAudioApplication.microphoneInjectionPermission as Any
      ),
      (
        "AVAudioApplication.requestMicrophoneInjectionPermission(completionHandler:)",
        AVAudioApplication.requestMicrophoneInjectionPermission(completionHandler:) as Any
      ),
      (
        "AVAudioApplication.MicrophoneInjectionPermission.serviceDisabled",
        AVAudioApplication.MicrophoneInjectionPermission.serviceDisabled as Any
      ),
      (
        "AVAudioApplication.MicrophoneInjectionPermission.undetermined",
        AVAudioApplication.MicrophoneInjectionPermission.undetermined as Any
      ),
      (
        "AVAudioApplication.MicrophoneInjectionPermission.denied",
        AVAudioApplication.MicrophoneInjectionPermission.denied as Any
      ),
      (
        "AVAudioApplication.MicrophoneInjectionPermission.granted",
        AVAudioApplication.MicrophoneInjectionPermission.granted as Any
      ),
    ]
  }
}
