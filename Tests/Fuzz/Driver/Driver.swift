// SPDX-License-Identifier: MIT

import Dispatch
import FuzzTargets
import Glibc

/// The target of this process, from $MULTIROUTE_FUZZ_TARGET.
private let target: FuzzTarget = {
  let name = unsafe getenv("MULTIROUTE_FUZZ_TARGET").map { unsafe String(cString: $0) } ?? ""
  guard let target = FuzzTarget(rawValue: name) else {
    let allowed = FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")
    fatalError("MULTIROUTE_FUZZ_TARGET is '\(name)', allowed is one of \(allowed)")
  }
  return target
}()

/// Called by libFuzzer with each input, always on the same thread.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
  let bytes = unsafe Array(UnsafeBufferPointer(start: data, count: size))
  guard let rest = target.read(bytes) else { return 0 }
  let done = DispatchSemaphore(value: 0)
  Task.detached {
    await rest()
    done.signal()
  }
  done.wait()
  return 0
}
