// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import ControlSocket
internal import Mixing

extension Host {
  /// Registers the requests about the mix. [any-thread]
  nonisolated func registerMix(on router: ControlRouter) -> ControlRouter {
    router
      .on(SetGain.self) { params, _ throws(ControlError) in
        try await self.run { rooms throws(ControlError) in try rooms.mix.apply(params) }
      }
      .on(SetMute.self) { params, _ throws(ControlError) in
        try await self.run { rooms throws(ControlError) in try rooms.mix.apply(params) }
      }
      .on(SetSolo.self) { params, _ throws(ControlError) in
        try await self.run { rooms throws(ControlError) in try rooms.mix.apply(params) }
      }
      .on(SetCue.self) { params, _ throws(ControlError) in
        try await self.run { rooms throws(ControlError) in try rooms.mix.apply(params) }
      }
      .on(SetPan.self) { params, _ throws(ControlError) in
        try await self.run { rooms throws(ControlError) in try rooms.mix.apply(params) }
      }
      .on(SetSend.self) { params, _ throws(ControlError) in
        try await self.run { rooms throws(ControlError) in try rooms.mix.apply(params) }
      }
      .on(SetCrossfader.self) { params, _ throws(ControlError) in
        try await self.run { rooms throws(ControlError) in try rooms.mix.apply(params) }
      }
      .on(StartFade.self) { params, _ throws(ControlError) in
        try await self.run { rooms throws(ControlError) in try rooms.mix.startFade(params) }
      }
  }
}

/// The changes of the mix that requests and parameters ask for.
///
/// Each throws `notReady` before the first attachment, or the refusal of the change. [control-thread]
extension MixRoom {
  /// Sets the gain of a strip, a route or a send.
  @discardableResult
  func apply(_ params: SetGain.Params) throws(ControlError) -> Applied {
    try change(params) { mix throws(ControlError) in
      try mix.setGain(
        params.target,
        decibels: params.gainDB,
        fade: Self.fade(params.rampMilliseconds),
      )
    }
  }

  /// Mutes or unmutes a strip, a route or a send.
  @discardableResult
  func apply(_ params: SetMute.Params) throws(ControlError) -> Applied {
    try change(params) { mix throws(ControlError) in
      try mix.setMute(params.target, isMuted: params.muted)
    }
  }

  /// Solos a strip, or ends its solo.
  @discardableResult
  func apply(_ params: SetSolo.Params) throws(ControlError) -> Applied {
    try change(params) { mix throws(ControlError) in
      try mix.setSolo(strip: params.strip, isSoloed: params.solo)
    }
  }

  /// Adds a strip to the cue route, or removes it.
  @discardableResult
  func apply(_ params: SetCue.Params) throws(ControlError) -> Applied {
    try change(params) { mix throws(ControlError) in
      try mix.setCue(strip: params.strip, isCued: params.cue, route: params.route)
    }
  }

  /// Pans a strip.
  @discardableResult
  func apply(_ params: SetPan.Params) throws(ControlError) -> Applied {
    try change(params) { mix throws(ControlError) in
      try mix.setPan(
        strip: params.strip,
        pan: params.pan,
        fade: Self.fade(params.rampMilliseconds),
      )
    }
  }

  /// Makes or changes a send.
  @discardableResult
  func apply(_ params: SetSend.Params) throws(ControlError) -> Applied {
    try change(params, isRerouting: true) { mix throws(ControlError) in
      try mix.setSend(params, fade: Self.fade(params.rampMilliseconds))
    }
  }

  /// Moves the crossfader.
  @discardableResult
  func apply(_ params: SetCrossfader.Params) throws(ControlError) -> Applied {
    try change(params) { mix throws(ControlError) in
      try mix.setCrossfader(params.position, fade: Self.fade(params.rampMilliseconds))
    }
  }

  private static func fade(_ milliseconds: Double?) -> Fade {
    milliseconds.map { .seconds($0 / 1000) } ?? .standard
  }
}
