// SPDX-License-Identifier: MIT

extension Machine {
  func kernel() -> [Finding] { fatalError("unwritten") }
}
