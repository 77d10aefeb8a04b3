// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import Foundation
internal import Sessions

extension AVAudioSession {
  /// The current inputs and outputs; empty before the first connection to a host.
  ///
  /// An inactive session has no input.
  public var currentRoute: AVAudioSessionRouteDescription {
    guard let detail = state.detail else { return AVAudioSessionRouteDescription() }
    var route = detail.route
    if !detail.active { route.inputs = [] }
    return AVAudioSessionRouteDescription(route)
  }

  /// The inputs that can be preferred; nil in a category without input.
  public var availableInputs: [AVAudioSessionPortDescription]? {
    guard hasInput else { return nil }
    return (state.detail?.availableInputs ?? []).map { AVAudioSessionPortDescription($0) }
  }

  /// The preferred input; nil without a preference, or while that input is disconnected.
  public var preferredInput: AVAudioSessionPortDescription? {
    guard let uid = state.detail?.preferredInput else { return nil }
    return availableInputs?.first { $0.uid == uid }
  }

  /// Prefers one of ``availableInputs``; nil withdraws the preference (RTE-5).
  ///
  /// - Throws: `badParam` for a port that is not among them.
  /// [control-thread]
  public func setPreferredInput(_ input: AVAudioSessionPortDescription?) throws {
    let uid = input?.uid ?? ""
    if input != nil, !(availableInputs ?? []).contains(where: { $0.uid == uid }) {
      throw NSError.session(
        .badParam,
        "input '\(uid)' is not available",
        offending: uid,
        allowed: (availableInputs ?? []).map(\.uid),
        rule: "RTE-5",
      )
    }
    try controller.adjust { $0.preferredInput = uid }
  }

  /// Overrides the output with the built-in speaker until the next route change, or ends the override (RTE-5).
  ///
  /// An override that is made while the session is inactive takes effect with its activation. Ending one never throws.
  ///
  /// - Throws: `incompatibleCategory` in any category but `playAndRecord`.
  /// [control-thread]
  public func overrideOutputAudioPort(_ portOverride: PortOverride) throws {
    guard portOverride == .speaker else {
      // Without a host, or with one that dies meanwhile, there is no override any more.
      try? controller.choose({ $0.overridesOutput = false }) {
        $0.overrideOutput = Sessions.PortOverride.none
      }
      return
    }
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
    try controller.choose({ $0.overridesOutput = true }) { $0.overrideOutput = .speaker }
  }

  /// The data sources of the input; nil without a choice.
  public var inputDataSources: [AVAudioSessionDataSourceDescription]? {
    currentRoute.inputs.first?.dataSources
  }

  /// The selected data source of the input; nil without a choice.
  public var inputDataSource: AVAudioSessionDataSourceDescription? {
    currentRoute.inputs.first?.selectedDataSource
  }

  /// Switches the input to one of ``inputDataSources``.
  ///
  /// - Throws: `resourceNotAvailable` without an input or a choice; `badParam`.
  /// [control-thread]
  public func setInputDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws {
    try set(dataSource, of: currentRoute.inputs.first, "input")
  }

  /// The data sources of the output; nil without a choice.
  public var outputDataSources: [AVAudioSessionDataSourceDescription]? {
    currentRoute.outputs.first?.dataSources
  }

  /// The selected data source of the output; nil without a choice.
  public var outputDataSource: AVAudioSessionDataSourceDescription? {
    currentRoute.outputs.first?.selectedDataSource
  }

  /// Switches the output to one of ``outputDataSources``.
  ///
  /// - Throws: `resourceNotAvailable` without an output or a choice; `badParam`.
  /// [control-thread]
  public func setOutputDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws {
    try set(dataSource, of: currentRoute.outputs.first, "output")
  }

  /// Without effect: JACK always handles input and output in one cycle.
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

  /// Whether the app plays content with more than two channels; kept, because JACK always accepts it.
  public var supportsMultichannelContent: Bool { state.choices.supportsMultichannelContent }

  /// Sets whether the app plays content with more than two channels.
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

  /// Answers immediately that the route is local.
  public func prepareRouteSelectionForPlayback(
    completionHandler handler: @escaping @Sendable (Bool, RouteSelection) -> Void
  ) {
    handler(true, .local)
  }

  /// Answers immediately that the route is local.
  public func prepareRouteSelectionForPlayback() async -> (Bool, RouteSelection) { (true, .local) }

  private func set(
    _ dataSource: AVAudioSessionDataSourceDescription?,
    of port: AVAudioSessionPortDescription?,
    _ direction: String,
  ) throws {
    guard let port else {
      throw NSError.session(
        .resourceNotAvailable,
        "the route has no \(direction), so no data source can be set",
        offending: dataSource?.dataSourceName,
        rule: "RTE-5",
      )
    }
    try port.setPreferredDataSource(dataSource)
  }

  /// The index of a channel among all output channels of ``currentRoute``, one port after the other.
  ///
  /// Counts from 0; nil if the channel's port is not in the route. Not in the SDK, where apps add up the channels to make a
  /// channel map.
  /// [any-thread]
  public func flatOutputIndex(of channel: AVAudioSessionChannelDescription) -> Int? {
    Self.index(of: channel, among: currentRoute.outputs)
  }

  /// The index of a channel among all input channels of ``currentRoute``; nil if its port is not in the route.
  /// [any-thread]
  public func flatInputIndex(of channel: AVAudioSessionChannelDescription) -> Int? {
    Self.index(of: channel, among: currentRoute.inputs)
  }

  private static func index(
    of channel: AVAudioSessionChannelDescription,
    among ports: [AVAudioSessionPortDescription],
  ) -> Int? {
    ports.flatMap { $0.channels ?? [] }.firstIndex(of: channel)
  }

  /// Routes output ports of the app's own JACK client through the session's strip.
  ///
  /// Not in the SDK. The host removes the direct connections of these ports to the hardware, so that interruptions and ducks
  /// apply to them too (INT-1). While any of them is connected, the app's audio counts as running (SES-4).
  ///
  /// - Parameters:
  ///   - ports: Full names of output ports, or globs with `*` and `?`; an empty list removes all.
  ///   - channels: The number of channels over which the ports are distributed, 1 to 64.
  /// - Throws: `badParam` for an invalid pattern or number; `mediaServicesFailed` if no host answers.
  /// [control-thread]
  public func setOutputPorts(_ ports: [String], channels: Int = 2) throws {
    // Without ports, the number of channels does not matter.
    try AppAudio.shared.setOwnPorts(ports, channels: ports.isEmpty ? 2 : channels)
  }
}
