import ArgumentParser

struct BenchMixCommand: ParsableCommand {}
