import QuiverClient
import QuiverRPC
import QuiverWire
import Synchronization

/// A run of writes that are read back at its end.
///
/// Through the client library as users have it, retries and all, and so without the speed of a
/// plain run.
struct VerifiedRun {
  let settings: LoadRun.Settings
  let verification: Verification

  func run() async -> LoadRun.Result {
    let recorded = Mutex(Summary())
    let start = Clock.nanoseconds()
    let cpu = Clock.processorSeconds()
    if let rate = settings.rate {
      await openLoop(rate, start, recorded)
    } else {
      await closedLoop(start, recorded)
    }
    var result = LoadRun.Result()
    result.summary = recorded.withLock { $0 }
    result.summary.seconds = Double(Clock.nanoseconds() &- start) / 1e9
    result.summary.generatorSeconds = Clock.processorSeconds() - cpu
    return result
  }

  private func openLoop(_ rate: Double, _ start: UInt64, _ recorded: borrowing Mutex<Summary>) async
  {
    var arrivals = Arrivals(settings.arrivals, rate: rate, seed: settings.seed)
    let end = LoadRun.nanoseconds(settings.seconds)
    var count: UInt64 = 0
    var writes: [Task<(UInt64, UInt64, UInt64, StatusCode?), Never>] = []
    while UInt64(arrivals.nextNanoseconds) < end, count < settings.count ?? .max {
      let intended = start &+ UInt64(arrivals.nextNanoseconds)
      let now = Clock.nanoseconds()
      if intended > now { try? await Task.sleep(for: .nanoseconds(intended - now)) }
      writes.append(
        Task { [verification] in
          let (sent, code) = await verification.write()
          return (intended, sent, Clock.nanoseconds(), code)
        })
      arrivals.advance()
      count += 1
    }
    for write in writes {
      let (intended, sent, ended, code) = await write.value
      recorded.withLock { Self.note(&$0, intended: intended, sent: sent, ended: ended, code) }
    }
  }

  private func closedLoop(_ start: UInt64, _ recorded: borrowing Mutex<Summary>) async {
    await withTaskGroup(of: Summary.self) { group in
      let share = (settings.count ?? 0) / UInt64(settings.concurrency)
      let rest = (settings.count ?? 0) % UInt64(settings.concurrency)
      for number in 0..<settings.concurrency {
        group.addTask { [verification] in
          var summary = Summary()
          for _ in 0..<share + (UInt64(number) < rest ? 1 : 0) {
            let (sent, code) = await verification.write()
            Self.note(&summary, intended: sent, sent: sent, ended: Clock.nanoseconds(), code)
          }
          return summary
        }
      }
      for await summary in group { recorded.withLock { $0.merge(summary) } }
    }
  }

  private static func note(
    _ summary: inout Summary, intended: UInt64, sent: UInt64, ended: UInt64, _ code: StatusCode?
  ) {
    summary.latency.record(nanoseconds: ended &- intended)
    summary.service.record(nanoseconds: ended &- sent)
    if sent &- intended > Recorder.lateNanoseconds { summary.late &+= 1 }
    if let code { summary.fail(code) } else { summary.succeeded &+= 1 }
  }
}
