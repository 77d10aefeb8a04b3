// SPDX-License-Identifier: MIT

internal import Foundation
import SystemSupport
import TestSupport
import Testing

@testable import Doctor

/// The doctor's findings about servers, shared memory and cards.
struct DoctorAudioTests {
  @Test("Installed servers and the loaded libjack")
  func presence() throws {
    let bare = try MachineTree().machine().servers()
    #expect(bare.about("JACK servers installed")?.remedy == "sudo apt install jackd2")
    #expect(bare.about("libjack of this process")?.severity == .problem)
    #expect(bare.about("JACK servers running")?.found == "none")

    let library = "/usr/lib/x86_64-linux-gnu/pipewire-0.3/jack/libjack.so.0.365.0"
    let full = try MachineTree([
      "/usr/bin/jackd": "", "/usr/bin/pipewire": "",
      "/proc/self/maps": "7f50-7f51 r-xp 0 fe:00 3 [vdso]\n7f52-7f53 r-xp 0 fe:00 7   \(library)\n",
    ]).machine().servers()
    #expect(full.about("JACK servers installed")?.found == "jackd, pipewire")
    #expect(full.about("libjack of this process")?.found == "PipeWire's, \(library)")
  }

  @Test(
    "How jackd runs, by its own arguments and not its driver's",
    arguments: [
      (["-S", "-d", "alsa", "-r", "48000"], Finding.Severity.ok),
      (["--sync", "-dalsa"], .ok),
      (["-d", "alsa", "-S", "-r", "48000"], .advice),
      (["-r", "-S", "-d", "dummy"], .problem),
    ]
  )
  func running(arguments: [String], severity: Finding.Severity) throws {
    let command = (["/usr/bin/jackd"] + arguments).map { $0 + "\0" }.joined()
    let findings = try MachineTree([
      "/proc/42/cmdline": command, "/proc/43/cmdline": "", "/proc/7/cmdline": "bash\0jackd\0",
    ]).machine().servers()
    #expect(findings.about("jackd 42")?.severity == severity)
    #expect(findings.count == 3)
  }

  @Test("Too little shared memory, or none")
  func sharedMemory() throws {
    let tree = try MachineTree()
    let small = tree.machine(freeMiB: 60, totalMiB: 64).sharedMemory().about("shared memory")
    #expect(small?.severity == .problem)
    #expect(small?.found == "60 of 64 MiB free in /dev/shm")
    #expect(tree.machine().sharedMemory().about("shared memory")?.severity == .ok)
    let none = Machine(root: "/nonexistent") { _ in nil }
    #expect(none.sharedMemory().about("shared memory")?.severity == .problem)
  }

  @Test("Left-overs of a server whose process is gone, not of one that runs")
  func leftOvers() throws {
    let tree = try MachineTree([
      "/proc/20/cmdline": "jackd\0", "/dev/shm/jack-0-0": "", "/dev/shm/jack-0-1": "",
    ])
    try tree.write(
      registry(
        servers: [(10, "jack-0:gone:"), (20, "jack-0:here:")],
        segments: [(10, 3 << 20, "/jack-0-0"), (20, 1 << 20, "/jack-0-1"), (10, 9, "/jack-0-2")],
      ),
      to: "/dev/shm/jack-shm-registry",
    )
    let finding = tree.machine().sharedMemory().about("left-overs of JACK servers")
    #expect(finding?.severity == .advice)
    #expect(finding?.found == "gone; 3 MiB, 2 of 8 places taken")
    #expect(finding?.remedy == "timeout 1 jackd -r -n gone -d dummy")

    // Memory alone, of a server whose place is free again.
    try tree.write(
      registry(servers: [(20, "jack-0:here:")], segments: [(10, 3 << 20, "/jack-0-0")]),
      to: "/dev/shm/jack-shm-registry",
    )
    let memory = tree.machine().sharedMemory().about("left-overs of JACK servers")
    #expect(memory?.remedy == "rm -f /dev/shm/jack-0-0")
  }

  @Test("Killed servers that have taken all places")
  func allPlacesTaken() throws {
    let tree = try MachineTree(["/proc/20/cmdline": "jackd\0"])
    let gone = (1...7).map { (pid: Int32($0), name: "jack-0:gone\($0):") }
    try tree.write(
      registry(servers: gone + [(20, "jack-0:here:")], segments: []),
      to: "/dev/shm/jack-shm-registry",
    )
    let finding = tree.machine().sharedMemory().about("left-overs of JACK servers")
    #expect(finding?.severity == .problem)
    #expect(finding?.remedy?.split(separator: ";").count == 7)
  }

  @Test("A registry cut anywhere, or of another kind, is read as far as it goes")
  func damagedRegistry() throws {
    let whole = registry(servers: [(10, "jack-0:gone:")], segments: [(10, 1, "/jack-0-0")])
    for count in stride(from: 0, to: whole.count, by: 97) {
      let part = JACKMemoryRegistry(Array(whole.prefix(count)))
      #expect((part?.segments.count ?? 0) == (count >= 24 + 8 * 264 + 268 ? 1 : 0))
    }
    #expect(JACKMemoryRegistry(Array(whole))?.servers.map(\.name) == ["gone"])
    #expect(JACKMemoryRegistry(Array(repeating: 0xFF, count: 5000)) == nil)
  }

  @Test("Cards, and USB devices that are put to sleep")
  func devices() throws {
    #expect(try MachineTree().machine().devices().map(\.severity) == [.advice])
    let usb = "/sys/bus/usb/devices"
    let findings = try MachineTree([
      "/proc/asound/cards": " 0 [PCH            ]: HDA-Intel - HDA Intel PCH\n  HDA at 0xf\n"
        + " 1 [USB            ]: USB-Audio - Scarlett\n",
      "\(usb)/1-2/power/control": "auto\n", "\(usb)/1-2/product": "Scarlett 4i4 USB\n",
      "\(usb)/1-2:1.0/bInterfaceClass": "01\n", "\(usb)/1-2:1.1/bInterfaceClass": "01\n",
      "\(usb)/1-3/power/control": "auto\n", "\(usb)/1-3:1.0/bInterfaceClass": "03\n",
    ]).machine().devices()
    #expect(findings.about("sound cards")?.found == "hw:PCH, hw:USB")
    let power = findings.about("USB audio power")
    #expect(power?.found.contains("Scarlett 4i4 USB") == true)
    #expect(power?.remedy == "echo on | sudo tee \(usb)/1-2/power/control")
  }

  @Test("A long file of /proc is read to its end")
  func longFile() throws {
    let mappings = Machine().lines("/proc/self/maps")
    #expect(mappings.contains { $0.hasSuffix("[stack]") })
    #expect(mappings.joined().utf8.count > 8192)
  }

  @Test("This machine can be examined, and each fault says what it costs")
  func thisMachine() throws {
    let findings = Doctor.examine()
    #expect(findings.count >= 12)
    #expect(findings.allSatisfy { ($0.severity == .ok) == ($0.cost == nil) })
    #expect(findings.allSatisfy { $0.severity != .ok || $0.remedy == nil })
    let encoded = try JSONEncoder().encode(["findings": findings])
    #expect(String(decoding: encoded, as: UTF8.self).contains("\"severity\":"))
  }

  private func registry(
    servers: [(pid: Int32, name: String)],
    segments: [(pid: Int32, size: UInt32, name: String)],
  ) -> Data {
    var data = Data(count: 24 + 8 * 264 + 256 * 268)
    func put(_ value: UInt32, _ offset: Int) {
      for byte in 0..<4 { data[offset + byte] = UInt8(truncatingIfNeeded: value >> (8 * byte)) }
    }
    func put(_ text: String, _ offset: Int) {
      for (index, byte) in text.utf8.enumerated() { data[offset + index] = byte }
    }
    put(0x4A41_434B, 0)
    put(24 + 8 * 264, 16)
    put(268, 20)
    for (index, server) in servers.enumerated() {
      put(UInt32(server.pid), 24 + index * 264)
      put(server.name, 28 + index * 264)
    }
    for (index, segment) in segments.enumerated() {
      let start = 24 + 8 * 264 + index * 268
      put(UInt32(segment.pid), start + 4)
      put(segment.size, start + 8)
      put(segment.name, start + 12)
    }
    return data
  }
}
