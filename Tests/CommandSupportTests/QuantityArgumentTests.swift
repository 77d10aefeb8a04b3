// SPDX-License-Identifier: MIT

import CommandSupport
import Testing

/// Gains, times and rates on the command line.
struct QuantityArgumentTests {
  @Test(arguments: [
    ("-6dB", -6.0), ("-6 dB", -6), ("-6", -6), ("+3dB", 3), ("24dB", 24), ("0", 0),
    ("-inf", -Double.infinity), ("-infdB", -Double.infinity),
    // U+2212, the minus sign of typeset text.
    ("−6.5 dB", -6.5), ("−6dB", -6), ("−inf", -Double.infinity),
  ])
  func `a gain has decibels, or no unit`(text: String, gainDB: Double) throws {
    #expect(try QuantityArgument.gainDB(text) == gainDB)
  }

  @Test(arguments: ["loud", "25dB", "inf", "6 db s", "", "nan", "3s", "−", "−−6dB", "–6dB"])
  func `anything else is no gain, and the message names the unit`(text: String) {
    let error = #expect(throws: (any Error).self) { try QuantityArgument.gainDB(text) }
    #expect(error.map { "\($0)" }?.contains("dB") == true)
  }

  @Test(arguments: ["500", "0.5dB", "-91dB", "-inf", "loud"])
  func `the error of a gain with limits of its own names these`(text: String) throws {
    #expect(try QuantityArgument.gainDB("-90", in: -90...0) == -90)
    let error = #expect(throws: (any Error).self) {
      try QuantityArgument.gainDB(text, in: -90...0)
    }
    #expect(error.map { "\($0)" }?.contains("-90dB to 0dB") == true)
    #expect(error.map { "\($0)" }?.contains("24") == false)
  }

  @Test(arguments: ["0", "6", "500us", "soon"])
  func `the error of a time with limits of its own names these`(text: String) throws {
    #expect(try QuantityArgument.seconds("400ms", in: 0.001...5) == 0.4)
    #expect(try QuantityArgument.seconds("5", in: 0.001...5) == 5)
    let error = #expect(throws: (any Error).self) {
      try QuantityArgument.seconds(text, in: 0.001...5)
    }
    #expect(error.map { "\($0)" }?.contains("1ms to 5s") == true)
  }

  @Test(arguments: [("20ms", 20.0), ("3s", 3_000), ("20", 20), ("1 min", 60_000), ("500us", 0.5)])
  func `a ramp has a unit, or is in milliseconds`(text: String, milliseconds: Double) throws {
    #expect(try QuantityArgument.milliseconds(text) == milliseconds)
  }

  @Test(arguments: [("4", 4.0), ("4s", 4), ("250ms", 0.25), ("5min", 300), ("2h", 7_200)])
  func `a duration has a unit, or is in seconds`(text: String, seconds: Double) throws {
    #expect(try QuantityArgument.seconds(text) == seconds)
  }

  @Test(arguments: ["3dB", "-3s", "soon", "3 parsecs"])
  func `anything else is no duration`(text: String) {
    #expect(throws: (any Error).self) { try QuantityArgument.seconds(text) }
  }

  @Test(arguments: [("48kHz", 48_000), ("44.1kHz", 44_100), ("96000", 96_000), ("8000Hz", 8_000)])
  func `a rate has a unit, or is in hertz`(text: String, hertz: Int) throws {
    #expect(try QuantityArgument.wholeHertz(text) == hertz)
  }

  @Test(arguments: [("2GB", 2_000_000_000), ("700 MB", 700_000_000), ("1000000", 1_000_000)])
  func `a size has a unit, or is in bytes`(text: String, bytes: Int) throws {
    #expect(try QuantityArgument.bytes(text) == bytes)
  }

  @Test(arguments: [("-1", -1.0), ("0.5", 0.5), ("-50%", -0.5)])
  func `a position is a number or a percentage`(text: String, position: Double) throws {
    #expect(try QuantityArgument.position(text) == position)
    #expect(throws: (any Error).self) { try QuantityArgument.position("1.5") }
    #expect(throws: (any Error).self) { try QuantityArgument.share("-0.5") }
  }
}
