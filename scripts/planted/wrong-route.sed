# planted: the wrong route on unplug: routes are chosen anew before the port is gone
# tests: ^SessionsTests\.RTETests/unplug\(
# in: Sources/Sessions/Tower/Tower+Routes.swift
s/^    let port = state\.ports\.remove\(at: known\)$/    let port = state.ports[known]/
s/^    portsChanged\(port, \.oldDeviceUnavailable\)$/&\n    state.ports.remove(at: known)/
