// SPDX-License-Identifier: MIT

extension SessionConfiguration {
  /// Whether an output is eligible (rules OPT-2 and MOD-4).
  ///
  /// - Parameter port: The output.
  /// - Returns: Whether it is.
  public func allowsOutput(_ port: PortDescription) -> Bool { outputFault(port) == nil }

  /// Why the session cannot be moved to an output; nil where it can (rule VOL-4).
  ///
  /// - Parameter port: The output.
  /// - Returns: The reason, or nil.
  public func choiceFault(_ port: PortDescription) -> OutputFault? {
    outputFault(port) ?? (category == .multiRoute ? .everyRoute : nil)
  }

  /// Why an output is not eligible; nil where it is.
  private func outputFault(_ port: PortDescription) -> OutputFault? {
    let type = port.type
    guard category.hasOutput else { return .noOutput(category: category) }
    guard type.canBeOutput else { return .inputOnly(type: type) }
    let unfit = OutputFault.category(category: category, type: type)
    switch type {
    case .bluetoothA2DP:
      if mode == .voiceChat { return .mode(mode: mode, type: type) }
      return stereoBluetoothFault
    case .bluetoothHFP:
      return options.contains(.allowBluetoothHFP)
        ? nil : .missingOption(option: .allowBluetoothHFP, type: type)
    case .bluetoothLE: return category != .multiRoute || mode == .dualRoute ? nil : unfit
    case .airPlay: return networkFault(isMirrored: port.isMirrored)
    case .carAudio: return category != .multiRoute ? nil : unfit
    case .builtInReceiver: return category == .playAndRecord ? nil : unfit
    case .HDMI, .displayPort: return mode != .voiceChat ? nil : .mode(mode: mode, type: type)
    default: return nil
    }
  }

  /// Whether inputs of this type are eligible.
  ///
  /// - Parameter type: The input's type.
  /// - Returns: Whether they are.
  public func allowsInput(_ type: PortType) -> Bool {
    guard category.hasInput, type.canBeInput else { return false }
    switch type {
    case .bluetoothHFP: return options.contains(.allowBluetoothHFP)
    case .bluetoothLE: return mode == .dualRoute
    case .carAudio, .continuityMicrophone: return category != .multiRoute
    default: return true
    }
  }

  private var stereoBluetoothFault: OutputFault? {
    switch category {
    case .ambient, .soloAmbient, .playback: nil
    case .playAndRecord:
      options.contains(.allowBluetoothA2DP)
        ? nil : .missingOption(option: .allowBluetoothA2DP, type: .bluetoothA2DP)
    case .record, .audioProcessing, .multiRoute:
      .category(category: category, type: .bluetoothA2DP)
    }
  }

  /// Why a network output is not eligible (rule MOD-4).
  ///
  /// With `playAndRecord` only mirrored ones are, in three modes without an option; `allowAirPlay` adds the other modes.
  private func networkFault(isMirrored: Bool) -> OutputFault? {
    switch category {
    case .ambient, .soloAmbient, .playback:
      return nil
    case .playAndRecord:
      guard isMirrored else { return .notMirrored(category: category) }
      let isFreeMode = mode == .default || mode == .videoChat || mode == .gameChat
      return isFreeMode || options.contains(.allowAirPlay)
        ? nil : .missingOption(option: .allowAirPlay, type: .airPlay)
    case .record, .audioProcessing, .multiRoute:
      return .category(category: category, type: .airPlay)
    }
  }
}
