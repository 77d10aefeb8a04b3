// SPDX-License-Identifier: MIT

internal import Glibc
internal import SystemSupport

/// The functions and the lines of the sources of addresses, told by llvm-symbolizer of the toolchain.
struct StackSymbols {
  private var texts: [UInt: String] = [:]

  /// Looks addresses up, which takes seconds; blocks the calling thread meanwhile.
  init(of addresses: [UInt], in files: [MappedFile]) {
    let placed = Dictionary(grouping: Set(addresses)) { address in
      files.firstIndex { $0.range.contains(address) } ?? -1
    }
    for (index, addresses) in placed where index >= 0 {
      let file = files[index]
      // Each is behind a call, which may be the last one of its function.
      let offsets = addresses.map { "0x" + String($0 - 1 - file.range.lowerBound, radix: 16) }
      let options = ["--obj=\(file.path)", "--no-inlines", "--output-style=GNU", "--basenames"]
      let found =
        (try? runProgramBlocking("llvm-symbolizer", options + offsets, environment: [:]).output)
        .map { $0.split(separator: "\n", omittingEmptySubsequences: true) } ?? []
      let name = file.path.split(separator: "/").last ?? ""
      for (number, address) in addresses.enumerated() {
        guard found.count == 2 * addresses.count, found[2 * number] != "??" else {
          texts[address] = "\(name) \(offsets[number])"
          continue
        }
        texts[address] =
          Self.demangled(String(found[2 * number])) + " at \(found[2 * number + 1])"
      }
    }
  }

  /// A line for each address, up to the frames that each thread of the pool has.
  func lines(of addresses: [UInt]) -> String {
    let texts = addresses.map { self.texts[$0] ?? "0x" + String($0, radix: 16) }
    let end = texts.firstIndex { text in
      // A task, a block, and the loop of the thread.
      ["swift::runJob", "swift_job_run", "_dispatch_continuation_pop", "_dispatch_worker_thread"]
        .contains { text.contains($0) }
    }
    return texts.prefix(max(1, end ?? texts.count)).map { "  \($0)\n" }.joined()
  }

  private static func demangled(_ name: String) -> String {
    typealias Demangle =
      @convention(c) (
        UnsafePointer<CChar>, Int, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<Int>?, UInt32
      ) -> UnsafeMutablePointer<CChar>?
    guard let symbol = unsafe dlsym(nil, "swift_demangle") else { return name }
    let demangle = unsafe unsafeBitCast(symbol, to: Demangle.self)
    guard let text = unsafe demangle(name, name.utf8.count, nil, nil, 0) else { return name }
    defer { unsafe free(text) }
    return unsafe String(cString: text)
  }
}
