// SPDX-License-Identifier: MIT

import AVFoundation
import Foundation
import MediaPlayer

/// The audio code of an iOS app, unchanged. Code that does not compile is a fault of the library.

@MainActor
final class AudioManager: NSObject, AVAudioPlayerDelegate, AVAudioRecorderDelegate {
  static let shared = AudioManager()
  private let audioSession = AVAudioSession.sharedInstance()
  var player: AVAudioPlayer?
  var recorder: AVAudioRecorder?
  private var observer: NSKeyValueObservation?
  private var tokens: [NSObjectProtocol] = []

  func configureAudioSession() {
    do {
      try AVAudioSession.sharedInstance().setCategory(
        .playback,
        mode: .default,
        options: [.mixWithOthers, .allowAirPlay]
      )
      try AVAudioSession.sharedInstance().setActive(true)
    } catch {
      print("Failed to set audio session category. Error: \(error)")
    }
  }

  func configureVoice() throws {
    try audioSession.setCategory(
      .playAndRecord,
      mode: .voiceChat,
      options: [.allowBluetooth, .allowBluetoothA2DP, .defaultToSpeaker]
    )
    try audioSession.setPreferredIOBufferDuration(0.005)
    try audioSession.setPreferredSampleRate(48_000.0)
    try audioSession.setActive(true, options: .notifyOthersOnDeactivation)
    try audioSession.overrideOutputAudioPort(AVAudioSession.PortOverride.speaker)
    try audioSession.overrideOutputAudioPort(.none)
  }

  func longForm() throws {
    try audioSession.setCategory(
      .playback,
      mode: .moviePlayback,
      policy: .longFormVideo,
      options: []
    )
    try audioSession.setCategory(.playback, mode: .default, policy: .longFormAudio)
    try audioSession.setCategory(.ambient)
    try audioSession.setCategory(
      .playback,
      options: [.duckOthers, .interruptSpokenAudioAndMixWithOthers]
    )
    audioSession.prepareRouteSelectionForPlayback { shouldStart, selection in
      guard shouldStart else { return }
      switch selection {
      case .local: print("local")
      case .external: print("external")
      case .none: break
      @unknown default: break
      }
    }
  }

  func activateAsync() async {
    do {
      try await audioSession.activate(options: [])
      let done = try await audioSession.activate()
      print(done)
      try await audioSession.deactivate(options: [.notifyOthersOnDeactivation])
    } catch let error as NSError
      where error.code == AVAudioSession.ErrorCode.cannotInterruptOthers.rawValue
    {
      print(error.domain == NSOSStatusErrorDomain)
    } catch {
      if let code = AVAudioSession.ErrorCode(rawValue: (error as NSError).code) {
        switch code {
        case .insufficientPriority, .isBusy, .siriIsRecording, .cannotStartPlaying,
          .cannotStartRecording:
          break
        default: break
        }
      }
    }
    audioSession.activate(options: []) { success, error in print(success, error as Any) }
  }

  func setupNotifications() {
    let nc = NotificationCenter.default
    tokens.append(
      nc.addObserver(
        forName: AVAudioSession.interruptionNotification,
        object: AVAudioSession.sharedInstance(),
        queue: .main
      ) { [weak self] notification in
        guard let userInfo = notification.userInfo,
          let typeValue = userInfo[AVAudioSessionInterruptionTypeKey] as? UInt,
          let type = AVAudioSession.InterruptionType(rawValue: typeValue)
        else { return }
        let options = (userInfo[AVAudioSessionInterruptionOptionKey] as? UInt).map(
          AVAudioSession.InterruptionOptions.init(rawValue:)
        )
        let reason = (userInfo[AVAudioSessionInterruptionReasonKey] as? UInt).flatMap {
          AVAudioSession.InterruptionReason(rawValue: $0)
        }
        _ = userInfo[AVAudioSessionInterruptionWasSuspendedKey] as? Bool
        switch reason {
        case .appWasSuspended, .builtInMicMuted: break
        default: break
        }
        MainActor.assumeIsolated {
          switch type {
          case .began: self?.player?.pause()
          case .ended: if options?.contains(.shouldResume) == true { self?.player?.play() }
          }
        }
      }
    )
    _ = nc.addObserver(forName: AVAudioSession.routeChangeNotification, object: nil, queue: nil) {
      notification in
      guard let userInfo = notification.userInfo,
        let reasonValue = userInfo[AVAudioSessionRouteChangeReasonKey] as? UInt,
        let reason = AVAudioSession.RouteChangeReason(rawValue: reasonValue)
      else { return }
      switch reason {
      case .newDeviceAvailable:
        let session = AVAudioSession.sharedInstance()
        let headphonesConnected = session.currentRoute.outputs.contains {
          $0.portType == .headphones || $0.portType == AVAudioSession.Port.bluetoothA2DP
        }
        print(headphonesConnected)
      case .oldDeviceUnavailable:
        if let previousRoute = userInfo[AVAudioSessionRouteChangePreviousRouteKey]
          as? AVAudioSessionRouteDescription
        {
          for output in previousRoute.outputs
          where output.portType == AVAudioSession.Port.headphones {
            print(output.portName, output.uid)
          }
        }
      case .categoryChange, .override, .wakeFromSleep: break
      default: ()
      }
    }
    _ = nc.addObserver(
      forName: AVAudioSession.silenceSecondaryAudioHintNotification,
      object: nil,
      queue: .main
    ) { note in
      guard let value = note.userInfo?[AVAudioSessionSilenceSecondaryAudioHintTypeKey] as? UInt,
        let type = AVAudioSession.SilenceSecondaryAudioHintType(rawValue: value)
      else { return }
      print(type == .begin)
    }
    _ = nc.addObserver(
      forName: AVAudioSession.mediaServicesWereResetNotification,
      object: audioSession,
      queue: nil
    ) { _ in }
    Task {
      for await notification in NotificationCenter.default.notifications(
        named: AVAudioSession.interruptionNotification
      ) {
        print(notification.name)
      }
    }
    Task {
      for await reason in nc.notifications(
        named: AVAudioSession.routeChangeNotification,
        object: audioSession
      ).compactMap({ $0.userInfo?[AVAudioSessionRouteChangeReasonKey] as? UInt }) {
        print(reason)
      }
    }
    observer = audioSession.observe(\.outputVolume, options: [.new, .old]) { session, change in
      print(change.newValue ?? 0, change.oldValue ?? 0, session.outputVolume)
    }
    _ = audioSession.observe(\.secondaryAudioShouldBeSilencedHint) { _, _ in }
    _ = audioSession.observe(\.currentRoute, options: .initial) { session, _ in
      print(session.currentRoute)
    }
  }

  func permissions() async {
    switch AVAudioApplication.shared.recordPermission {
    case .granted: break
    case .denied: break
    case .undetermined: break
    @unknown default: break
    }
    AVAudioApplication.requestRecordPermission { granted in print(granted) }
    let granted = await AVAudioApplication.requestRecordPermission()
    print(granted)
    AVAudioSession.sharedInstance().requestRecordPermission { allowed in print(allowed) }
    switch audioSession.recordPermission {
    case AVAudioSession.RecordPermission.granted: break
    default: break
    }
    try? AVAudioApplication.shared.setInputMuted(true)
  }

  func microphones() throws {
    guard let availableInputs = audioSession.availableInputs,
      let builtInMicInput = availableInputs.first(where: { $0.portType == .builtInMic })
    else { return }
    try audioSession.setPreferredInput(builtInMicInput)
    guard let preferredInput = audioSession.preferredInput,
      let dataSources = preferredInput.dataSources,
      let newDataSource = dataSources.first(where: { $0.orientation == .front }),
      let supportedPolarPatterns = newDataSource.supportedPolarPatterns
    else { return }
    let isStereoSupported = supportedPolarPatterns.contains(.stereo)
    if isStereoSupported { try newDataSource.setPreferredPolarPattern(.stereo) }
    try preferredInput.setPreferredDataSource(newDataSource)
    try audioSession.setPreferredInputOrientation(.portrait)
    for input in availableInputs {
      print(
        input.portName,
        input.portType.rawValue,
        input.uid,
        input.channels?.count ?? 0,
        input.selectedDataSource?.dataSourceName ?? ""
      )
      for source in input.dataSources ?? [] {
        print(
          source.dataSourceID,
          source.location ?? .upper,
          source.selectedPolarPattern ?? .cardioid
        )
      }
    }
    try audioSession.setInputGain(0.5)
    print(
      audioSession.isInputGainSettable,
      audioSession.inputLatency + audioSession.outputLatency + audioSession.ioBufferDuration
    )
    let outputs = audioSession.currentRoute.outputs
    if let channels = outputs.first?.channels {
      let left = channels.first { $0.channelLabel == kAudioChannelLabel_Left }
      print(left?.channelName ?? "", left?.owningPortUID ?? "", left?.channelNumber ?? 0)
      player?.channelAssignments = channels
    }
  }
}
