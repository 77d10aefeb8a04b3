# planted: one period leaked to a stranger: a gate counts the connections of the cycle before
# tests: ^HostTests\.GateSoundTests/.PRM-1 a stranger at a permitted program's gate
# in: Sources/JACK/Ports/ApprovedConnections.swift
s/^    let count = Atomic<Int>\(0\)$/&\n    let former = Atomic<Int>(0)/
s/^    return unsafe (scope\.connectionCount\(of: cell\.pointee\.port\)) == approved$/    let now = unsafe \1\n    return unsafe cell.pointee.former.exchange(now, ordering: .relaxed) == approved/
