// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation
import Porting

/// `multiroute-port-ios PATH`, which `multiroute port-ios` calls.
@main
struct PortIOS: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "port-ios",
    abstract:
      "Rewrite Swift sources of an iOS app for Linux, where only the platform hinders the compiler.",
    discussion: """
      Changes files in place: '#if os(iOS)' holds on Linux, attributes of Objective-C go, and selectors of observers, timers \
      and remote commands become closures, with a small file PortedFromIOS.swift beside them. A second run changes nothing. \
      Keep the sources under version control, and read what it says is left to do.
      """,
  )

  @Argument(help: "A Swift file, or a folder of them.")
  var path: String

  @Flag(help: "Change nothing; say what would change.")
  var dryRun = false

  func run() throws {
    let folder: PortedFolder
    do {
      folder = try PortedFolder(path)
    } catch let fault as PortedFolder.Fault {
      throw ValidationError(fault.description)
    }
    let shims = dryRun ? [] : try folder.write()
    for entry in folder.entries {
      if entry.isChanged {
        let changes = PortedFile.Change.allCases.compactMap { change in
          entry.ported.changes[change].map { "\($0) \(change.rawValue)" }
        }
        print("\(entry.url.relativePath): \(changes.joined(separator: ", "))")
      }
      for remark in entry.ported.remarks { print("\(entry.url.relativePath):\(remark)") }
    }
    for shim in shims { print("\(shim.relativePath): added") }
    let changed = folder.entries.count { $0.isChanged }
    let left = folder.entries.reduce(0) { $0 + $1.ported.remarks.count }
    print(
      "\(changed) of \(folder.entries.count) files \(dryRun ? "would change" : "changed"), \(left) places left to do by hand"
    )
  }
}
