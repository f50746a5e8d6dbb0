import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverWire
import Synchronization

/// A run of writes that are read back at its end.
///
/// Through the client library as users have it, retries and all, and so without the speed of a
/// plain run.
final class VerifiedRun: Sendable {
  private let settings: LoadRun.Settings
  private let writes: WriteBook
  private let client: RPCClient
  private let request: [UInt8]
  private let recorded = Mutex(Summary())
  private let open = Atomic(0)
  /// nil: the calls have no deadline.
  private let timeout: Duration?

  /// - Parameter request: encoded; the number of each write is written into it.
  init(
    _ settings: LoadRun.Settings, _ writes: WriteBook, over client: RPCClient,
    request: [UInt8], timeout: Duration? = nil
  ) {
    self.timeout = timeout
    self.settings = settings
    self.writes = writes
    self.client = client
    self.request = request
  }

  func run() async -> LoadRun.Result {
    let start = Clock.nanoseconds()
    let cpu = Clock.processorSeconds()
    if let rate = settings.rate {
      await openLoop(rate, start)
    } else {
      await closedLoop()
    }
    var result = LoadRun.Result()
    result.summary = recorded.withLock { $0 }
    result.summary.seconds = Double(Clock.nanoseconds() &- start) / 1e9
    result.summary.generatorSeconds = Clock.processorSeconds() - cpu
    return result
  }

  private func openLoop(_ rate: Double, _ start: UInt64) async {
    var arrivals = Arrivals(settings.arrivals, rate: rate, seed: settings.seed)
    let end = LoadRun.nanoseconds(settings.seconds)
    var count: UInt64 = 0
    while UInt64(arrivals.nextNanoseconds) < end, count < settings.count ?? .max {
      let intended = start &+ UInt64(arrivals.nextNanoseconds)
      let now = Clock.nanoseconds()
      if intended > now { try? await Task.sleep(for: .nanoseconds(intended - now)) }
      if open.load(ordering: .relaxed) < settings.maxOpen {
        open.wrappingAdd(1, ordering: .relaxed)
        Task {
          await write(intended: intended)
          open.wrappingSubtract(1, ordering: .relaxed)
        }
      } else {
        recorded.withLock { $0.unsent &+= 1 }
      }
      arrivals.advance()
      count += 1
    }
    // Each has a deadline.
    while open.load(ordering: .relaxed) > 0 { try? await Task.sleep(for: .milliseconds(5)) }
  }

  private func closedLoop() async {
    await withTaskGroup(of: Void.self) { group in
      let share = (settings.count ?? 0) / UInt64(settings.concurrency)
      let rest = (settings.count ?? 0) % UInt64(settings.concurrency)
      for number in 0..<settings.concurrency {
        group.addTask {
          for _ in 0..<share + (UInt64(number) < rest ? 1 : 0) { await self.write(intended: nil) }
        }
      }
    }
  }

  private func write(intended: UInt64?) async {
    let number = writes.next()
    let bytes = writes.stamped(request, number)
    let sent = Clock.nanoseconds()
    var code: StatusCode?
    do throws(RPCError) {
      let options = CallOptions(timeout: timeout)
      let reply = try await client.callEncoded(writes.kind.method, bytes, options: options)
      writes.acknowledged(number, sent: sent, answered: Clock.nanoseconds(), reply: reply.message)
    } catch {
      code = error.code
      writes.failed(number, error)
    }
    let now = Clock.nanoseconds()
    recorded.withLock { [code] summary in
      if sent &- (intended ?? sent) > settings.lateNanoseconds { summary.late &+= 1 }
      guard code == nil else { return summary.fail(code ?? .unknown) }
      summary.latency.record(nanoseconds: now &- (intended ?? sent))
      summary.service.record(nanoseconds: now &- sent)
      summary.succeeded &+= 1
    }
  }
}
