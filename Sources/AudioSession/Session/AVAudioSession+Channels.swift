// SPDX-License-Identifier: MIT

extension AVAudioSession {
  /// The place of a channel among all channels of ``currentRoute``'s outputs, one port after the other; counted from
  /// 0, nil where its port is not in the route.
  ///
  /// Not in the SDK, where apps add up the channels themselves to make a channel map.
  public func flatOutputIndex(of channel: AVAudioSessionChannelDescription) -> Int? {
    Self.index(of: channel, among: currentRoute.outputs)
  }

  /// The place of a channel among all channels of ``currentRoute``'s inputs; nil where its port is not in the route.
  public func flatInputIndex(of channel: AVAudioSessionChannelDescription) -> Int? {
    Self.index(of: channel, among: currentRoute.inputs)
  }

  private static func index(
    of channel: AVAudioSessionChannelDescription,
    among ports: [AVAudioSessionPortDescription],
  ) -> Int? {
    ports.flatMap { $0.channels ?? [] }.firstIndex(of: channel)
  }
}
