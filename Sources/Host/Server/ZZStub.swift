import Logging
final class PipeWireSettings: ForeignServerSettings { let reason = ""; init(logger: Logger) {}
 func force(sampleRateHz: Int?, bufferFrames: Int?) async throws(HostError) {}
 func giveBack() async {} }
final class JACKDBusSettings: ForeignServerSettings { let reason = ""; init(logger: Logger) {}
 func force(sampleRateHz: Int?, bufferFrames: Int?) async throws(HostError) {}
 func giveBack() async {} }
