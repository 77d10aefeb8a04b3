// SPDX-License-Identifier: MIT

import Glibc

extension Double {
  /// The value with so many decimal places, for texts.
  func rounded(toPlaces places: Int) -> Double {
    let factor = pow(10, Double(places))
    return (self * factor).rounded() / factor
  }
}
