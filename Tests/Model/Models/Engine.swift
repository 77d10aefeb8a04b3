// SPDX-License-Identifier: MIT

/// A whole engine of the mix: control changes its routes and meters, the audio thread takes plans and gives them back.
///
/// Everything that the audio thread uses is freed by control only after the plan that no longer has it is in force.
func engineModel(changes: Int, cycles: Int) -> Model {
  Model(
    name: "MixEngine: plans, commands, reports, retired memory",
    bounds: "\(changes) changes of 2 routes, \(cycles) cycles",
    makeRun: {
      var specs: [MixSpec] = []
      for change in 0...changes {
        var spec = MixSpec()
        spec.strips.append(StripSpec(id: "s", channels: 1))
        spec.routes.append(RouteSpec(id: "r\(change % 2)", channels: 1))
        spec.sends.append(SendSpec(strip: "s", route: "r\(change % 2)"))
        specs.append(spec)
      }
      guard
        let engine = try? MixEngine(
          specs[0],
          configuration: MixEngine.Configuration(
            sampleRateHz: 100,
            standardFadeSeconds: 0,
            queueCapacity: 4
          ),
        )
      else { stop("the engine's mix is not valid") }
      let renderer = engine.renderer
      let samples = UnsafeMutablePointer<Float>.allocate(capacity: 2)
      samples.initialize(repeating: 0, count: 2)
      let inputs = UnsafeMutablePointer<UnsafePointer<Float>?>.allocate(capacity: 1)
      inputs.initialize(to: nil)
      let outputs = UnsafeMutablePointer<UnsafeMutablePointer<Float>?>.allocate(capacity: 1)
      outputs.initialize(to: samples)
      return Run(
        threads: [
          {
            for change in 1...changes {
              do { try engine.apply(specs[change], tag: UInt64(change)) } catch {
                require(false, "a mix is not valid")
              }
              _ = engine.collect()
            }
          },
          {
            for cycle in 0..<cycles {
              renderer.render(inputs: inputs, outputs: outputs, frames: 1, atFrame: UInt64(cycle))
            }
          },
        ],
        finish: {
          samples.deallocate()
          inputs.deallocate()
          outputs.deallocate()
          withExtendedLifetime(engine) {}
        },
      )
    },
  )
}
