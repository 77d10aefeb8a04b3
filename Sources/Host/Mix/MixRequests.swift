// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import ControlSocket
internal import Mixing

/// The requests of the control socket about the mix.
extension Host {
  /// Registers the requests about the mix.
  nonisolated func registerMix(on router: ControlRouter) -> ControlRouter {
    router
      .on(SetGain.self) { params, _ throws(ControlError) in
        try await self.changeMix(params) { mix throws(ControlError) in
          try mix.setGain(
            params.target,
            decibels: params.gainDB,
            fade: Self.fade(params.rampMilliseconds),
          )
        }
      }
      .on(SetMute.self) { params, _ throws(ControlError) in
        try await self.changeMix(params) { mix throws(ControlError) in
          try mix.setMute(params.target, isMuted: params.muted)
        }
      }
      .on(SetSolo.self) { params, _ throws(ControlError) in
        try await self.changeMix(params) { mix throws(ControlError) in
          try mix.setSolo(strip: params.strip, isSoloed: params.solo)
        }
      }
      .on(SetCue.self) { params, _ throws(ControlError) in
        try await self.changeMix(params) { mix throws(ControlError) in
          try mix.setCue(strip: params.strip, isCued: params.cue, route: params.route)
        }
      }
      .on(SetPan.self) { params, _ throws(ControlError) in
        try await self.changeMix(params) { mix throws(ControlError) in
          try mix.setPan(
            strip: params.strip,
            pan: params.pan,
            fade: Self.fade(params.rampMilliseconds),
          )
        }
      }
      .on(SetSend.self) { params, _ throws(ControlError) in
        try await self.changeMix(params, isRerouting: true) { mix throws(ControlError) in
          try mix.setSend(params, fade: Self.fade(params.rampMilliseconds))
        }
      }
      .on(SetCrossfader.self) { params, _ throws(ControlError) in
        try await self.changeMix(params) { mix throws(ControlError) in
          try mix.setCrossfader(params.position, fade: Self.fade(params.rampMilliseconds))
        }
      }
      .on(StartFade.self) { params, _ throws(ControlError) in
        try await self.run { rooms throws(ControlError) in try rooms.mix.startFade(params) }
      }
  }

  private func changeMix(
    _ params: some MixParams,
    isRerouting: Bool = false,
    _ body: @Sendable (inout MixControl) throws(ControlError) -> Void,
  ) throws(ControlError) -> Applied {
    try rooms.mix.change(params, isRerouting: isRerouting, body)
  }

  private static func fade(_ milliseconds: Double?) -> Fade {
    milliseconds.map { .seconds($0 / 1000) } ?? .standard
  }
}
