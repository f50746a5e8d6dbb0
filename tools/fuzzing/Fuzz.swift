import Glibc

/// The entry point of a package executable: runs libFuzzer's driver.
@_cdecl("Fuzzing_main")
public func fuzzingMain(
  _ count: CInt, _ words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
  var count = count
  var words = words
  return runDriver(&count, &words, fuzzOneInput)
}

private typealias OneInput = @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<CInt>,
  _ words: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
  _ oneInput: OneInput
) -> CInt

/// libFuzzer calls this with each input; QUIVER_FUZZ names the target.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = UnsafeRawBufferPointer(start: bytes, count: count)
  switch Fuzz.target {
  case "frames": FrameFuzz.run(input)
  case "schemas": SchemaFuzz.run(input)
  case "heads": HeadFuzz.run(input)
  case "server": ServerFuzz(Array(input)).run()
  case "client": ClientFuzz(Array(input)).run()
  case "channel": ChannelFuzz(Array(input)).run()
  case "json": JSONFuzz.run(input)
  case "inflate": InflateFuzz.run(input)
  case "gateway": GatewayFuzz(Array(input)).run()
  default:
    Fuzz.stop(
      "QUIVER_FUZZ must be frames, schemas, heads, server, client, channel, json, inflate or"
        + " gateway")
  }
  return 0
}

enum Fuzz {
  static let target = getenv("QUIVER_FUZZ").map { String(cString: $0) } ?? ""

  /// Ends the process if the condition does not hold, which the fuzzer reports as a finding.
  static func hold(_ holds: Bool, _ sentence: @autoclosure () -> String) {
    if !holds { stop(sentence()) }
  }

  static func stop(_ sentence: String) -> Never {
    let line = "does not hold: \(sentence)\n"
    _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
    abort()
  }
}
