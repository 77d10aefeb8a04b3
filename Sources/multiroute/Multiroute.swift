// SPDX-License-Identifier: MIT

import ArgumentParser
import Host

/// The command line: parsing and wiring only.
@main
struct Multiroute: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "multiroute",
    abstract: "Several output routes, inter-app audio and audio sessions for JACK.",
    version: HostVersion.current,
    subcommands: [
      RunCommand.self,
      BridgeCommand.self,
      CheckCommand.self,
      StatusCommand.self,
      SetCommand.self,
      FadeCommand.self,
      RecordCommand.self,
      DevicesCommand.self,
      AlignCommand.self,
      SessionCommand.self,
      WhyCommand.self,
      PressCommand.self,
      PermissionCommand.self,
      SimulateCommand.self,
      NodesCommand.self,
      NodeCommand.self,
      ConnectCommand.self,
      DisconnectCommand.self,
      MIDICommand.self,
      InsertCommand.self,
      BypassCommand.self,
      BenchCommand.self,
      DoctorCommand.self,
      GuardCommand.self,
    ],
  )
}
