import Dispatch
import QuiverPlatform
import QuiverRPC
import Synchronization

/// A thread that runs the steps of a shard's TLS handshakes, one after the other, so that calls do
/// not wait for them. Its priority is below that of the shard. It starts with the first step.
///
/// May be used from any thread. No more steps wait than handshakes may be unfinished.
final class HandshakeThread: Sendable {
  private struct State {
    /// Those before `head` were taken.
    var jobs: [Job] = []
    var head = 0
    var isStarted = false
    var isStopped = false
  }

  private struct Job: Sendable {
    let step: HandshakeStep
    let ended: @Sendable () -> Void
  }

  private let state = Mutex(State())
  private let ready = DispatchSemaphore(value: 0)

  /// How much lower the priority of the thread is than that of the shards (nice(2)).
  private static let niceness: Int32 = 10

  /// Runs a step, then calls `ended` on the thread.
  func submit(_ step: HandshakeStep, _ ended: @escaping @Sendable () -> Void) {
    let job = Job(step: step, ended: ended)
    let mustStart = state.withLock { state in
      state.jobs.append(job)
      defer { state.isStarted = true }
      return !state.isStarted
    }
    ready.signal()
    if mustStart, !start() {
      // Without a thread the steps run here.
      state.withLock { $0.isStarted = false }
      while let job = next() { run(job) }
    }
  }

  /// Ends the thread; steps that wait are not run.
  func stop() {
    state.withLock { state in
      state.isStopped = true
      state.jobs = []
      state.head = 0
    }
    ready.signal()
  }

  private func start() -> Bool { Platform.startThread { [self] in work() } }

  private func work() {
    Platform.lowerThreadPriority(by: Self.niceness)
    while !state.withLock({ $0.isStopped }) {
      ready.wait()
      if let job = next() { run(job) }
    }
  }

  private func run(_ job: Job) {
    job.step.run()
    job.ended()
  }

  private func next() -> Job? {
    state.withLock { state in
      guard state.head < state.jobs.count else { return nil }
      let job = state.jobs[state.head]
      state.head += 1
      if state.head > state.jobs.count / 2 {
        state.jobs.removeFirst(state.head)
        state.head = 0
      }
      return job
    }
  }
}
