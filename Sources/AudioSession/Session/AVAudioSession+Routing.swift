// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import Foundation
internal import Sessions

extension AVAudioSession {
  /// Where audio comes from and goes to now; empty while no host was ever met.
  public var currentRoute: AVAudioSessionRouteDescription {
    state.detail.map { AVAudioSessionRouteDescription($0.route) }
      ?? AVAudioSessionRouteDescription()
  }

  /// The inputs to choose from; nil in a category without input.
  public var availableInputs: [AVAudioSessionPortDescription]? {
    guard hasInput else { return nil }
    return (state.detail?.availableInputs ?? []).map { AVAudioSessionPortDescription($0) }
  }

  /// The input that is preferred; nil where none is, or where it has gone.
  public var preferredInput: AVAudioSessionPortDescription? {
    guard let uid = state.detail?.preferredInput else { return nil }
    return availableInputs?.first { $0.uid == uid }
  }

  /// Prefers one of ``availableInputs``; nil takes the wish back (RTE-5).
  ///
  /// - Throws: `badParam` for a port that is not among them.
  /// [control-thread]
  public func setPreferredInput(_ input: AVAudioSessionPortDescription?) throws {
    let uid = input?.uid ?? ""
    if input != nil, !(availableInputs ?? []).contains(where: { $0.uid == uid }) {
      throw NSError.session(
        .badParam,
        "'\(uid)' is not one of the available inputs",
        offending: uid,
        allowed: (availableInputs ?? []).map(\.uid),
        rule: "RTE-5",
      )
    }
    try controller.adjust { $0.preferredInput = uid }
  }

  /// Sends the output to the built-in speaker until the next route change, or back (RTE-5).
  ///
  /// - Throws: `incompatibleCategory` in any category but `playAndRecord`; `sessionNotActive`.
  /// [control-thread]
  public func overrideOutputAudioPort(_ portOverride: PortOverride) throws {
    guard state.configuration.category == .playAndRecord else {
      throw NSError.session(
        SessionError(
          .incompatibleCategory,
          .category(
            category: state.configuration.category,
            operation: "output override",
            allowed: [.playAndRecord],
          ),
          .rte5,
        )
      )
    }
    try controller.adjust { $0.overrideOutput = portOverride == .speaker ? "speaker" : "none" }
  }

  /// What the input can be switched to; nil where there is no choice.
  public var inputDataSources: [AVAudioSessionDataSourceDescription]? {
    currentRoute.inputs.first?.dataSources
  }

  /// The data source of the input; nil where there is no choice.
  public var inputDataSource: AVAudioSessionDataSourceDescription? {
    currentRoute.inputs.first?.selectedDataSource
  }

  /// Switches the input to one of ``inputDataSources``.
  ///
  /// - Throws: `resourceNotAvailable` where there is no input or no choice; `badParam`.
  /// [control-thread]
  public func setInputDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws {
    try set(dataSource, of: currentRoute.inputs.first, "input")
  }

  /// What the output can be switched to; nil where there is no choice.
  public var outputDataSources: [AVAudioSessionDataSourceDescription]? {
    currentRoute.outputs.first?.dataSources
  }

  /// The data source of the output; nil where there is no choice.
  public var outputDataSource: AVAudioSessionDataSourceDescription? {
    currentRoute.outputs.first?.selectedDataSource
  }

  /// Switches the output to one of ``outputDataSources``.
  ///
  /// - Throws: `resourceNotAvailable` where there is no output or no choice; `badParam`.
  /// [control-thread]
  public func setOutputDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws {
    try set(dataSource, of: currentRoute.outputs.first, "output")
  }

  /// Without effect: JACK moves input and output in one cycle always.
  ///
  /// - Throws: `incompatibleCategory` in any category but `playAndRecord` and `multiRoute`.
  public func setAggregatedIOPreference(_ preference: IOType) throws {
    let category = state.configuration.category
    guard category == .playAndRecord || category == .multiRoute else {
      throw NSError.session(
        SessionError(
          .incompatibleCategory,
          .category(
            category: category,
            operation: "aggregated I/O",
            allowed: [.playAndRecord, .multiRoute],
          ),
          .cat1,
        )
      )
    }
  }

  /// Whether content with more than two channels may come; kept, JACK takes it always.
  public var supportsMultichannelContent: Bool { state.choices.supportsMultichannelContent }

  /// Says whether content with more than two channels may come.
  public func setSupportsMultichannelContent(_ isSupported: Bool) throws {
    try controller.choose { $0.supportsMultichannelContent = isSupported }
  }

  /// The layouts of car and AirPlay outputs; empty elsewhere and while inactive.
  public var supportedOutputChannelLayouts: [AVAudioChannelLayout] {
    guard state.isActive else { return [] }
    return currentRoute.outputs.filter { [.carAudio, .airPlay].contains($0.portType) }
      .compactMap { port in
        AVAudioChannelLayout(channelCount: port.channels?.count ?? 0)
      }
  }

  /// `monoStereo` or `surround` by the number of output channels; `notApplicable` while inactive.
  public var renderingMode: RenderingMode {
    guard state.isActive, outputNumberOfChannels > 0 else { return .notApplicable }
    return outputNumberOfChannels <= 2 ? .monoStereo : .surround
  }

  /// Answers at once that the route is one of this machine.
  public func prepareRouteSelectionForPlayback(
    completionHandler handler: @escaping @Sendable (Bool, RouteSelection) -> Void
  ) {
    handler(true, .local)
  }

  /// Answers at once that the route is one of this machine.
  public func prepareRouteSelectionForPlayback() async -> (Bool, RouteSelection) { (true, .local) }

  private func set(
    _ dataSource: AVAudioSessionDataSourceDescription?,
    of port: AVAudioSessionPortDescription?,
    _ direction: String,
  ) throws {
    guard let port else {
      throw NSError.session(
        .resourceNotAvailable,
        "there is no \(direction) whose data source could be set",
        offending: dataSource?.dataSourceName,
        rule: "RTE-5",
      )
    }
    try port.setPreferredDataSource(dataSource)
  }
}
