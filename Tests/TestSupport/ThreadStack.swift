// SPDX-License-Identifier: MIT

internal import Glibc

/// The stack of a sleeping thread of this process, read from outside: no signal disturbs its system call.
struct ThreadStack {
  /// The longest part that is read, in bytes.
  private static let depth = 65_536
  private static let mostFrames = 64

  private let start: UInt
  private let words: [UInt]
  private let files: [MappedFile]
  private let place: UInt

  /// The addresses of a thread's frames, the innermost first; none if it does not sleep.
  static func addresses(of thread: Int32, in files: [MappedFile]) -> [UInt] {
    ThreadStack(of: thread, in: files)?.addresses ?? []
  }

  private init?(of thread: Int32, in files: [MappedFile]) {
    // The system call, its six arguments, the stack pointer and the place in the program.
    let call = PoolThreads.text(of: "/proc/self/task/\(thread)/syscall").split(separator: " ")
    let numbers = call.compactMap { UInt($0.dropFirst(2).prefix { $0.isHexDigit }, radix: 16) }
    guard call.count == 9, numbers.count >= 2 else { return nil }
    self.files = files
    (start, place) = (numbers[numbers.count - 2], numbers[numbers.count - 1])
    // This way what has ended meanwhile is an error, and no fault of memory.
    let memory = unsafe open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
    guard memory >= 0 else { return nil }
    defer { close(memory) }
    var words = [UInt](repeating: 0, count: Self.depth / MemoryLayout<UInt>.size)
    let count = unsafe pread(memory, &words, Self.depth, off_t(start))
    guard count > 0 else { return nil }
    self.words = Array(words.prefix(count / MemoryLayout<UInt>.size))
  }

  /// The place in the program, and the return addresses.
  ///
  /// Functions of Swift keep the place of their caller's frame; those of C libraries need not. So there may be words
  /// of C functions that have returned before the first frame of Swift, but none behind it.
  private var addresses: [UInt] {
    let first = words.indices.lazy.compactMap { index -> Int? in
      self.frame(at: index).flatMap { self.frame(at: $0) == nil ? nil : $0 }
    }.first
    var addresses = [place] + words[..<(first ?? words.count)].filter(isReturn)
    var outer = first
    while let place = outer, let caller = frame(at: place) {
      addresses.append(words[place + 1])
      // A short function without a frame has one or two words there, and the return address.
      addresses += words[(place + 2)..<max(place + 2, min(place + 5, caller))].filter(isReturn)
      outer = caller
    }
    return Array(addresses.prefix(Self.mostFrames))
  }

  /// The place of the caller's frame, if there is a frame: a place further out, and behind it a return address.
  private func frame(at index: Int) -> Int? {
    let end = start + UInt(words.count * MemoryLayout<UInt>.size)
    guard index + 1 < words.count, (start..<end).contains(words[index]) else { return nil }
    let (next, rest) = Int(words[index] - start).quotientAndRemainder(
      dividingBy: MemoryLayout<UInt>.size
    )
    return rest == 0 && next > index && isReturn(words[index + 1]) ? next : nil
  }

  /// Whether a word is the address of code that follows a call.
  private func isReturn(_ word: UInt) -> Bool {
    guard word > 8, files.contains(where: { $0.code.contains(word) }) else { return false }
    #if arch(x86_64)
      guard let end = unsafe UnsafePointer<UInt8>(bitPattern: word) else { return false }
      // call with an offset, or through memory or a register.
      return unsafe end[-5] == 0xE8
        || [-2, -3, -6, -7].contains { unsafe end[$0] == 0xFF && end[$0 + 1] & 0x38 == 0x10 }
    #else
      return true
    #endif
  }
}
