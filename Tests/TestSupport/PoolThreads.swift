// SPDX-License-Identifier: MIT

internal import Glibc

/// The threads of the pool, as the kernel knows them.
enum PoolThreads {
  /// The threads that wait in code of a test or of the program; none unless that is the whole pool.
  ///
  /// The whole pool has a thread for each processor that waits so, and none that computes.
  static var blocked: [Int32] {
    guard let libdispatch = MappedFile.all.first(where: { $0.path.contains("/libdispatch.so") })
    else { return [] }
    var blocked: [Int32] = []
    for thread in names(in: "/proc/self/task").compactMap({ Int32($0) }) {
      // The end of com.apple.root.default-qos, for instance; .overcommit follows where it is not the pool.
      let name = text(of: "/proc/self/task/\(thread)/comm")
      guard name.hasSuffix("-qos\n") else { continue }
      switch place(of: thread) {
      case .elsewhere: return []
      // Between two tasks, in a semaphore of libdispatch's own.
      case .waiting(let address) where libdispatch.range.contains(address): continue
      case .waiting: blocked.append(thread)
      }
    }
    return blocked.count >= processors ? blocked : []
  }

  private enum Place {
    /// In a system call that waits, with its first argument.
    case waiting(UInt)
    /// It computes, waits for a processor or a disk, or has ended.
    case elsewhere
  }

  private static func place(of thread: Int32) -> Place {
    // After the name, which is in brackets and may contain anything.
    let state = text(of: "/proc/self/task/\(thread)/stat").split(separator: ")").last
    guard state?.hasPrefix(" S") == true else { return .elsewhere }
    let call = text(of: "/proc/self/task/\(thread)/syscall").split(separator: " ")
    // -1 is a page that is being read.
    guard call.count > 1, let number = Int(call[0]), number >= 0 else { return .elsewhere }
    return .waiting(UInt(call[1].dropFirst(2), radix: 16) ?? 0)
  }

  /// The processors that this process may use.
  static let processors: Int = {
    let mask =
      text(of: "/proc/self/status").split(separator: "\n")
      .first { $0.hasPrefix("Cpus_allowed:") }?
      .split(separator: "\t").last ?? "1"
    return max(1, mask.reduce(0) { $0 + ($1.hexDigitValue ?? 0).nonzeroBitCount })
  }()

  private static func names(in folder: String) -> [String] {
    guard let directory = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory) {
      unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
        unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) {
          unsafe names.append(String(cString: $0))
        }
      }
    }
    return names
  }

  /// The text of a file of the kernel; empty where there is none.
  static func text(of path: String) -> String {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = unsafe read(file, &chunk, chunk.count)
      guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
      bytes += chunk[..<count]
    }
  }
}
