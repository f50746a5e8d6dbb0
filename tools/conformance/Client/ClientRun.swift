import Foundation
import QuiverCommandLine
import Synchronization

/// How the bytes of a case go between client and server.
struct Wire: Sendable, Equatable {
  /// Splits and delays what is sent by this seed; 0: not.
  var seed: UInt64 = 0
  /// The folder with the certificates of a connection with TLS; nil: plain.
  var certificates: String?

  var words: String {
    switch (seed, certificates) {
    case (0, nil): ""
    case (_, nil): " (hostile wire \(seed))"
    default: " (TLS, hostile wire \(seed))"
    }
  }
}

/// Runs the cases for clients.
enum ClientRun {
  private struct Job: Sendable {
    var one: ClientCase
    var wire: Wire
  }

  private struct State {
    var next = 0
    var counts: [String: Int] = [:]
    var failure: (any Error)?
  }

  static func run(_ options: Options) throws -> Int32 {
    let cases = try ClientCase.all(vectors: options.vectors).filter { one in
      options.only.isEmpty || options.only.contains { one.id.hasPrefix($0) }
    }
    guard !cases.isEmpty else { throw UsageError("no case has such an id") }
    guard !options.lists else {
      for one in cases { StandardOutput.printOrExit("\(one.id) \(one.title)") }
      return 0
    }
    let jobs = jobs(cases, options)
    let state = Mutex(State())
    // Most cases wait for most of their time, so that several at once cost little.
    DispatchQueue.concurrentPerform(iterations: min(options.parallel, jobs.count)) { _ in
      work(jobs, state, options)
    }
    let (counts, failure) = state.withLock { ($0.counts, $0.failure) }
    if let failure { throw failure }
    let failed = counts["FAIL"] ?? 0
    StandardOutput.printOrExit(
      "\(counts["ok"] ?? 0) ok, \(failed) failed, \(counts["skip"] ?? 0) skipped")
    return failed == 0 ? 0 : 1
  }

  private static func jobs(_ cases: [ClientCase], _ options: Options) -> [Job] {
    let secure =
      options.certificates.isEmpty
      ? nil : Wire(seed: options.seed, certificates: options.certificates)
    let plain = cases.filter { !$0.isSecureOnly }.map { Job(one: $0, wire: Wire()) }
    let repeated = cases.filter(\.isRepeated)
    return plain
      + repeated.filter { !$0.isSecureOnly }.map { Job(one: $0, wire: Wire(seed: options.seed)) }
      + (secure.map { wire in repeated.map { Job(one: $0, wire: wire) } } ?? [])
  }

  /// Runs the next job until there is none, with a client program of its own.
  private static func work(_ jobs: [Job], _ state: borrowing Mutex<State>, _ options: Options) {
    do {
      var driver = try Driver(options.client)
      while true {
        let number = state.withLock { state in
          defer { state.next += 1 }
          return state.next
        }
        guard number < jobs.count else { return }
        let job = jobs[number]
        let (word, why) = try verdict(of: job, &driver, options)
        state.withLock { state in
          state.counts[word, default: 0] += 1
          StandardOutput.printOrExit(
            "\(word) \(job.one.id) \(job.one.title)\(job.wire.words)"
              + (why.isEmpty ? "" : ": \(why)"))
        }
      }
    } catch {
      state.withLock { $0.failure = error }
    }
  }

  private static func verdict(
    of job: Job, _ driver: inout Driver, _ options: Options
  ) throws -> (word: String, why: String) {
    if job.one.needsCompression, !driver.compresses {
      return ("skip", "the client decompresses nothing")
    }
    if job.one.needsTimeLimits, !driver.takesTimeLimits {
      return ("skip", "the client takes no time limits")
    }
    do {
      do {
        let stage = try Stage(driver, job.wire)
        try job.one.body(stage)
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
