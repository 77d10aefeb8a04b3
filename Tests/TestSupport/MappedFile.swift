// SPDX-License-Identifier: MIT

/// A file that is mapped into the process: the program or a library.
struct MappedFile {
  let path: String
  /// From its first byte to the last of the memory behind it, where its variables without a first value are.
  private(set) var range: Range<UInt>
  /// The part that can be executed.
  private(set) var code: Range<UInt> = 0..<0

  /// All of them, by their addresses.
  static var all: [MappedFile] {
    var files: [MappedFile] = []
    for line in PoolThreads.text(of: "/proc/self/maps").split(separator: "\n") {
      let fields = line.split(separator: " ", maxSplits: 5)
      let ends = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
      guard ends.count == 2 else { continue }
      let path = fields.count == 6 ? fields[5].drop { $0 == " " } : ""
      let last = files.last ?? MappedFile(path: "", range: 0..<1)
      // Without a name and right behind it: its variables.
      let isSame = path.isEmpty ? last.range.upperBound == ends[0] : path == last.path
      if !isSame || files.isEmpty {
        guard path.hasPrefix("/") else { continue }
        files.append(MappedFile(path: String(path), range: ends[0]..<ends[1]))
      }
      let index = files.count - 1
      files[index].range = files[index].range.lowerBound..<ends[1]
      if fields[1].contains("x") {
        let start = files[index].code.isEmpty ? ends[0] : files[index].code.lowerBound
        files[index].code = start..<ends[1]
      }
    }
    return files
  }
}
