# planted: a sample lost at a plan swap: the cycle that takes a plan over begins with its second sample
# tests: ^MixingTests\.PlanSwapTests/undisturbed
# in: Sources/Mixing/Rendering/RenderCore+Cycle.swift
/^    adoptIncoming\(\)$/d
s/^    reportAdoption\(\)$/&\n    adoptIncoming()/
# in: Sources/Mixing/Rendering/RenderCore+Mix.swift
s/^    var done = 0$/    var done = isAdoptionUnreported ? 1 : 0/
