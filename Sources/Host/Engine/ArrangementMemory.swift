// SPDX-License-Identifier: MIT

extension UnsafeMutablePointer where Pointee: BitwiseCopyable {
  /// Allocates memory with the elements of a list; `deallocate` frees it. [control-thread]
  static func allocate(copying elements: [Pointee]) -> Self {
    let memory = Self.allocate(capacity: Swift.max(1, elements.count))
    for (index, element) in elements.enumerated() {
      unsafe (memory + index).initialize(to: element)
    }
    return unsafe memory
  }
}
