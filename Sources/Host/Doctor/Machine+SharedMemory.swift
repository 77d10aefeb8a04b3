// SPDX-License-Identifier: MIT

extension Machine {
  func sharedMemory() -> [Finding] { fatalError("unwritten") }
}
