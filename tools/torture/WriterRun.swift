import Foundation
import QuiverStore
import Synchronization

/// Opens a store and submits operations concurrently, recording the outcome of each.
struct WriterRun: Sendable {
  var directory: String
  /// The VFS of SQLite; nil is the default.
  var fileSystem: String?
  var numbers: [Int64]
  /// The number of concurrent operations.
  var window = 4
  var noteByteCount = 100
  /// How far the wall clock is off; any stored time is accepted then. nil: the clock is right.
  var wallOffsetMilliseconds: Int64?
  /// Whether another thread reads meanwhile.
  var reads = false

  enum Ending: Sendable, Equatable {
    case closed
    /// The store stopped accepting writes.
    case failed
    /// It could not be opened.
    case refused(String)
  }

  func run(_ history: History) throws -> Ending {
    history.append(.run)
    let hasFailed = Mutex(false)
    var configuration = StoreConfiguration(
      directory: directory, hooks: StoreHooks(fatal: { _ in hasFailed.withLock { $0 = true } }))
    configuration.fileSystem = fileSystem
    if let offset = wallOffsetMilliseconds {
      configuration.clock = StoreClock(
        monotonicNanoseconds: StoreClock.system.monotonicNanoseconds,
        wallMilliseconds: { StoreClock.system.wallMilliseconds() + offset })
      configuration.clockPolicy = .accept
    }
    let store: Store
    do {
      store = try Store(configuration)
    } catch {
      return .refused("\(error)")
    }
    let target = Window(size: window)
    let reader = reads ? Reading(store) : nil
    for number in numbers {
      target.enter()
      if hasFailed.withLock({ $0 }) {
        target.leave()
        break
      }
      history.append(.begun(number))
      try Operation(number).submit(to: store, noteByteCount: noteByteCount, target: target) {
        switch $0 {
        case .success(let reply): history.append(.done(number, reply))
        case .failure(let error):
          let isCertain = error.notProcessed || error.code == .aborted || error.code == .notFound
          history.append(.refused(number, isCertain: isCertain))
        }
        reader?.noteAnswer()
      }
    }
    target.wait()
    if let reader { history.append(.reads(reader.stop())) }
    store.close()
    return hasFailed.withLock { $0 } ? .failed : .closed
  }
}

/// Limits the number of concurrent operations.
private final class Window: CompletionTarget {
  private let places: DispatchSemaphore
  private let size: Int

  init(size: Int) {
    self.size = size
    places = DispatchSemaphore(value: size)
  }

  func enter() { places.wait() }

  func leave() { places.signal() }

  /// Returns when no operation is in progress.
  func wait() {
    for _ in 0..<size { places.wait() }
    for _ in 0..<size { places.signal() }
  }

  func deliver(_ completions: [@Sendable () -> Void]) {
    for completion in completions {
      completion()
      places.signal()
    }
  }
}

/// A thread that reads while operations are written.
private final class Reading: Sendable {
  private let state = Mutex((count: 0, most: 0, isStopping: false))
  private let ended = DispatchSemaphore(value: 0)

  init(_ store: Store) {
    Thread.detachNewThread { [self] in
      while !state.withLock({ $0.isStopping }) {
        let counts = try? store.read { (snapshot) throws(StoreError) in
          try snapshot.equipmentCounts(principal: Operation.principal)
        }
        if counts != nil { state.withLock { $0.count += 1 } }
      }
      ended.signal()
    }
  }

  func noteAnswer() {
    state.withLock { state in
      state.most = max(state.most, state.count)
      state.count = 0
    }
  }

  func stop() -> Int {
    state.withLock { $0.isStopping = true }
    ended.wait()
    return state.withLock { $0.most }
  }
}
