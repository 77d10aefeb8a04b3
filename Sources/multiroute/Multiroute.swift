// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandSupport
import Host

/// The command line: parsing and wiring only.
///
/// Each command names itself (`commandName`): the parser would look four times through all conformances of the program for a name
/// that it makes of a type's, which takes 0.1 ms for each of them at every start.
@main
struct Multiroute: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "multiroute",
    abstract: "Several output routes, inter-app audio and audio sessions for JACK.",
    version: HostVersion.current,
    subcommands: [
      RunCommand.self,
      InitCommand.self,
      BridgeCommand.self,
      CheckCommand.self,
      ApplyCommand.self,
      StatusCommand.self,
      MetersCommand.self,
      SetCommand.self,
      GetCommand.self,
      ListCommand.self,
      WatchCommand.self,
      FadeCommand.self,
      SceneCommand.self,
      SaveCommand.self,
      LearnCommand.self,
      ControllersCommand.self,
      WebCommand.self,
      RecordCommand.self,
      DevicesCommand.self,
      AlignCommand.self,
      SessionCommand.self,
      RouteCommand.self,
      VolumeCommand.self,
      WhyCommand.self,
      RehearseCommand.self,
      PressCommand.self,
      PermissionCommand.self,
      SimulateCommand.self,
      NodesCommand.self,
      NodeCommand.self,
      ImportCommand.self,
      ExportCommand.self,
      ConnectCommand.self,
      DisconnectCommand.self,
      MIDICommand.self,
      PortIOSCommand.self,
      InsertCommand.self,
      BypassCommand.self,
      LabBenchCommand.self,
      DoctorCommand.self,
      GuardCommand.self,
    ],
  )

  /// Starts the command line, on the main thread: where no further thread can start, nothing else would run.
  ///
  /// [control-thread]
  @MainActor
  static func main() async {
    if CommandLine.arguments.dropFirst().elementsEqual(["--version"]) {
      Terminal.say(HostVersion.current)
      return
    }
    if let fault = ProcessLimits.memoryFault {
      Terminal.complain("error: \(fault)")
      exit(withError: ExitCode.systemLimit)
    }
    // The lab knows the subcommands of `bench`, so it answers `help bench …` too.
    let words = Array(CommandLine.arguments.dropFirst())
    if words.starts(with: ["help", "bench"]) {
      do { try LabProgram.become(words) } catch { exit(withError: error) }
    }
    if let fault = CommandSpelling.fault(in: words, of: Self.self) {
      Terminal.complain(lines: fault)
      exit(withError: ExitCode(64))
    }
    do {
      if try await DirectParsing.run(words, of: Self.self) { return }
    } catch {
      exit(withError: error)
    }
    // Session managers start a program by its name alone.
    await main(words.isEmpty && ManagedSession.isOffered ? [RunCommand._commandName] : nil)
  }
}
