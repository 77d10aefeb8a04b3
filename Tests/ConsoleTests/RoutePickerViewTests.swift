// SPDX-License-Identifier: MIT

import Console
import ControlProtocol
import Sessions
import Testing

/// The routes that a session may use, and volumes, as text (VOL-4).
struct RoutePickerViewTests {
  private static func output(
    _ uid: String,
    reason: String? = nil,
    inUse: Bool = false,
    chosen: Bool = false,
  ) -> SessionOutput {
    let port = PortDetail(
      uid: uid,
      name: "My \(uid)",
      type: .headphones,
      channels: ["1"],
      jackPorts: [],
      dataSources: [],
      selectedDataSource: nil,
      hasHardwareVoiceCallProcessing: false,
    )
    return SessionOutput(port: port, reason: reason, inUse: inUse, chosen: chosen)
  }

  @Test func `VOL-4 each route has its state, or the reason against it`() {
    let outputs = [
      Self.output("main", inUse: true, chosen: true), Self.output("phones"),
      Self.output("tv", reason: "its ports are not there"),
    ]
    #expect(
      RoutePickerView.lines("radio", outputs) == [
        "radio     name       type        state",
        "* main    My main    Headphones  in use, chosen",
        "  phones  My phones  Headphones  available",
        "  tv      My tv      Headphones  not available: its ports are not there",
        "radio stays on main, as you chose",
      ]
    )
    #expect(RoutePickerView.lines("radio", [Self.output("main")]).last == "radio follows the rules")
    #expect(RoutePickerView.lines("radio", nil).count == 1)
  }

  @Test func `VOL-4 a volume is an amplitude, and a gain above 0 dB counts as all of it`() {
    #expect(VolumeView.text(0, false) == "100 %")
    #expect(VolumeView.text(-20, true) == "10 %, muted")
    #expect(VolumeView.text(-.infinity, false) == "0 %")
    #expect(VolumeView.text(12, false) == "100 %")
    #expect(FaderVolume.gainDB(ofVolume: 2) == 0)
    #expect(FaderVolume.gainDB(ofVolume: -1) == -.infinity)
    #expect(abs(FaderVolume.gainDB(ofVolume: 0.1) + 20) < 1e-9)
    for volume in stride(from: 0.0, through: 1, by: 0.05) {
      let gainDB = FaderVolume.gainDB(ofVolume: volume)
      #expect(abs(FaderVolume.volume(gainDB: gainDB, isMuted: false) - volume) < 1e-9)
    }
    #expect(FaderVolume.volume(gainDB: 0, isMuted: true) == 0)
  }
}
