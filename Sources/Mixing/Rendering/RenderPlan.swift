// SPDX-License-Identifier: MIT

import CMixKernels
import Realtime

/// The mix as flat arrays of inputs, outputs and the cells between them: made by control, read by the audio thread.
///
/// Holds no gains but those of the lists at the end, which are the audio thread's own. All memory
/// belongs to a ``PlanStorage``.
///
/// Made by control before it is published: [control-thread]; then the audio thread's.
@safe
struct RenderPlan {
  /// A strip and its inputs.
  @safe
  struct Strip {
    var state: UnsafeMutablePointer<StripState>
    var meters: UnsafeMutablePointer<StripMeter>
    var firstInput: Int32
    var channels: Int32
    /// The crossfader's end to which it belongs: 1 for A, -1 for B, 0 for neither.
    var crossfaderSide: Double
  }

  /// A route and its outputs.
  @safe
  struct Route {
    var state: UnsafeMutablePointer<RouteState>
    var meters: UnsafeMutablePointer<MeterCell>
    var limiter: OpaquePointer
    /// Nil until the route is delayed for the first time.
    var delay: UnsafeMutablePointer<DelayState>?
    var firstOutput: Int32
    var channels: Int32
    /// Whether the route is heard, or has not fallen silent yet.
    var isActive = false

    /// Whether limiter, delay and meters have come to rest since the route fell silent.
    ///
    /// [audio-thread] never waits, never allocates.
    var isAtRest: Bool {
      @_noLocks @_noAllocation
      get {
        guard unsafe mix_limiter_is_at_rest(limiter) else { return false }
        if let delay = unsafe delay, unsafe !delay.pointee.isAtRest { return false }
        for channel in 0..<Int(channels) {
          if unsafe !meters[channel].isAtRest { return false }
        }
        return true
      }
    }
  }

  /// An output channel: a run of cells, and the part of it that is heard now.
  struct Output {
    var firstCell: Int32
    var cellCount: Int32
    /// Cells in the lists whose gain stands still.
    var steadyCount: Int32 = 0
    /// Cells in the lists whose gain moves; they come behind the others.
    var movingCount: Int32 = 0
    /// The next of the outputs that take the same inputs at gains that stand still; -1 for none.
    ///
    /// They are summed together.
    var nextAlike: Int32 = -1
    /// Whether another output leads them; it is summed with that one.
    var isLed = false
    /// Whether any cell is heard.
    var isHeard: Bool {
      @_noLocks @_noAllocation
      get { steadyCount + movingCount > 0 }
    }

    /// The level of the block, where one slice made up the whole block.
    var peak: Float = 0
    var squares: Float = 0
  }

  /// A cell of the matrix that may be heard.
  @safe
  struct Cell {
    var state: UnsafeMutablePointer<SendState>
    var strip: UnsafeMutablePointer<StripState>
    var route: UnsafeMutablePointer<RouteState>
    var input: Int32
    /// The ``StripState/Tap``, as the index of its product.
    var tapIndex: Int

    /// The product of all factors; those of strip and route as they were last worked out.
    ///
    /// [audio-thread] never waits, never allocates.
    @_noLocks
    @_noAllocation
    func product(framesAhead: UInt32) -> Float {
      unsafe state.pointee.ramps.value(0, framesAhead: framesAhead)
        * strip.pointee.products[tapIndex] * route.pointee.product
    }
  }

  /// The samples of an input in the present cycle.
  @safe
  struct InputSource: BitwiseCopyable {
    /// Those of the caller, or cleaned ones; nil is silence.
    var samples: UnsafePointer<Float>?
    var level = MixLevel(peak: 0, squares: 0)
    /// The cycle in which the input was read; see ``RenderCore/cycleCount``.
    var cycle: UInt64 = 0
  }

  /// An input whose level is taken.
  @safe
  struct MeteredInput {
    var meter: UnsafeMutablePointer<StripMeter>
    var strip: UnsafeMutablePointer<StripState>
    var input: Int32
    /// Whether any cell takes this input; if not, the meter behind the fader falls to silence.
    var isHeard: Bool
    /// Whether the input is read; if not, the meter before the fader falls to silence, too.
    var isRead: Bool

    @_noLocks
    @_noAllocation
    init(
      meter: UnsafeMutablePointer<StripMeter>,
      strip: UnsafeMutablePointer<StripState>,
      input: Int32,
      isHeard: Bool,
      isRead: Bool,
    ) {
      unsafe self.meter = meter
      unsafe self.strip = strip
      self.input = input
      self.isHeard = isHeard
      self.isRead = isRead
    }
  }

  var serial: UInt32
  var tag: UInt64
  var inputCount: Int
  var crossfaderCurve: CrossfaderSpec.Curve
  /// Frames of the ramp that a move of the crossfader by the audio thread makes.
  var crossfadeFrames: UInt32
  var strips: UnsafeMutableBufferPointer<Strip>
  var routes: UnsafeMutableBufferPointer<Route>
  var outputs: UnsafeMutableBufferPointer<Output>
  var cells: UnsafeMutableBufferPointer<Cell>
  /// Cells of strips and routes that are gone: silent before this plan comes into force.
  var awaited: UnsafeMutableBufferPointer<UnsafeMutablePointer<SendState>>

  // MARK: The audio thread's lists

  /// The ramps that are moving; has room for all ramps.
  var moving: UnsafeMutableBufferPointer<UnsafeMutablePointer<GainRamp>>
  /// For each output, from its first cell on: inputs, gains and steps of the cells to be heard.
  var heardInputs: UnsafeMutableBufferPointer<Int32>
  var heardGains: UnsafeMutableBufferPointer<Float>
  var heardSteps: UnsafeMutableBufferPointer<Float>
  var heardStates: UnsafeMutableBufferPointer<UnsafeMutablePointer<SendState>>
  /// The first of each number of outputs that are summed together.
  var leaders: UnsafeMutableBufferPointer<Int32>
  /// Room for the inputs of outputs that are summed together, and for all their gains.
  var gatheredInputs: UnsafeMutableBufferPointer<UnsafePointer<Float>?>
  var gatheredGains: UnsafeMutableBufferPointer<Float>
  var gatheredSteps: UnsafeMutableBufferPointer<Float>
  /// Where the gathered inputs are in an output's list, from its first cell on.
  var gatheredPlaces: UnsafeMutableBufferPointer<Int32>
  /// Room for up to four channels that are worked on together, and for their levels.
  var fourInputs: UnsafeMutableBufferPointer<UnsafePointer<Float>?>
  var fourOutputs: UnsafeMutableBufferPointer<UnsafeMutablePointer<Float>?>
  var fourPlaces: UnsafeMutableBufferPointer<Int32>
  var fourLevels: UnsafeMutableBufferPointer<MixLevel>
  /// Whether an input is heard; a byte each.
  var inputIsHeard: UnsafeMutableBufferPointer<Bool>
  var metered: UnsafeMutableBufferPointer<MeteredInput>
  var meteredCount = 0
  /// The samples of each input that is heard in this cycle, and their level.
  var sources: UnsafeMutableBufferPointer<InputSource>
  /// Routes that are active, and the outputs of those that are not.
  var activeRoutes: UnsafeMutableBufferPointer<Int32>
  var activeRouteCount = 0
  var idleOutputs: UnsafeMutableBufferPointer<Int32>
  var idleOutputCount = 0
}
