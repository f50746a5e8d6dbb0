import Foundation

/// Runs the cases for clients.
enum ClientRun {
  static func run(_ options: Options) throws -> Int32 {
    let cases = try ClientCase.all(vectors: options.vectors).filter { one in
      options.only.isEmpty || options.only.contains { one.id.hasPrefix($0) }
    }
    guard !cases.isEmpty else { throw UsageError("no case has such an id") }
    guard !options.lists else {
      for one in cases { print("\(one.id) \(one.title)") }
      return 0
    }
    var driver = try Driver(options.client)
    var counts: [String: Int] = [:]
    for seed in [0, options.seed] {
      for one in cases where seed == 0 || one.isRepeated {
        let (word, why) = try verdict(of: one, &driver, seed, options)
        counts[word, default: 0] += 1
        let wire = seed == 0 ? "" : " (hostile wire \(seed))"
        print("\(word) \(one.id) \(one.title)\(wire)" + (why.isEmpty ? "" : ": \(why)"))
        fflush(nil)
      }
    }
    let failed = counts["FAIL"] ?? 0
    print("\(counts["ok"] ?? 0) ok, \(failed) failed, \(counts["skip"] ?? 0) skipped")
    return failed == 0 ? 0 : 1
  }

  private static func verdict(
    of one: ClientCase, _ driver: inout Driver, _ seed: UInt64, _ options: Options
  ) throws -> (word: String, why: String) {
    if one.needsCompression, !driver.compresses {
      return ("skip", "the client decompresses nothing")
    }
    do {
      do {
        let stage = try Stage(driver, seed: seed)
        try one.body(stage)
        try driver.closeClient()
      }
      return ("ok", "")
    } catch {
      // What the client still does must not reach the next case.
      driver = try Driver(options.client)
      return ("FAIL", "\(error)")
    }
  }
}
