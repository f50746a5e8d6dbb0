import Foundation
import QuiverRules
import QuiverStore
import Synchronization
import TestStores
import TestSupport

extension TemporaryDirectory {
  var databasePath: String { path + "/quiver.db" }

  func open(
    clock: TestClock? = nil, hooks: StoreHooks = StoreHooks(),
    queuedCommands: Int = StoreLimits.queuedCommands, policy: ClockPolicy = .refuse,
    quotas: StoreQuotas = StoreQuotas()
  ) throws -> Store {
    // The store's hooks keep this directory for as long as the store may open files in it.
    var hooks = hooks
    let fatal = hooks.fatal
    hooks.fatal = { error in withExtendedLifetime(self) { fatal(error) } }
    var configuration = StoreConfiguration(
      directory: path, clock: clock?.clock ?? .system, hooks: hooks,
      queuedCommands: queuedCommands)
    configuration.clockPolicy = policy
    configuration.quotas = quotas
    try StoreImage.prepare(configuration)
    return try Store(configuration)
  }

  /// Runs a script of the shell in the directory; returns its exit code.
  func run(_ script: String) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", script]
    process.currentDirectoryURL = URL(fileURLWithPath: path)
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }
}

/// A clock that stands still until it is moved.
final class TestClock: Sendable {
  private let time = Mutex((monotonic: UInt64(1_000), wall: Int64(1_700_000_000_000)))

  var clock: StoreClock {
    StoreClock(
      monotonicNanoseconds: { self.time.withLock { $0.monotonic } },
      wallMilliseconds: { self.time.withLock { $0.wall } })
  }

  func set(monotonicNanoseconds: UInt64) { time.withLock { $0.monotonic = monotonicNanoseconds } }
  func set(wallMilliseconds: Int64) { time.withLock { $0.wall = wallMilliseconds } }

  /// Moves both on, at one moment.
  func pass(milliseconds: Int64) {
    time.withLock { time in
      time.monotonic += UInt64(milliseconds) * 1_000_000
      time.wall += milliseconds
    }
  }
}

/// Runs completions where they come, and remembers how many came together.
final class RecordingTarget: CompletionTarget {
  private let sizes = Mutex<[Int]>([])
  private let left: Mutex<Int>
  private let done = DispatchSemaphore(value: 0)

  /// Waits, in `wait`, for so many completions.
  init(expecting count: Int) {
    left = Mutex(count)
  }

  var deliverySizes: [Int] { sizes.withLock { $0 } }

  func deliver(_ completions: [@Sendable () -> Void]) {
    sizes.withLock { $0.append(completions.count) }
    for completion in completions { completion() }
    let isDone = left.withLock { left in
      left -= completions.count
      return left <= 0
    }
    if isDone { done.signal() }
  }

  func wait() { done.wait() }
}

/// Results of commands, by the order in which they were submitted.
final class Results: Sendable {
  private let values = Mutex<[Int: Result<[UInt8], StoreError>]>([:])

  subscript(index: Int) -> Result<[UInt8], StoreError>? { values.withLock { $0[index] } }

  func set(_ index: Int, _ result: Result<[UInt8], StoreError>) {
    values.withLock { $0[index] = result }
  }

  func code(_ index: Int) -> StoreError.Code? {
    guard case .failure(let error)? = self[index] else { return nil }
    return error.code
  }

  func reply(_ index: Int) -> [UInt8]? { try? self[index]?.get() }
}

/// Blocks the writer until it is released, so that commands wait in the queue.
struct Gate: Command {
  let begun = DispatchSemaphore(value: 0)
  let opened = DispatchSemaphore(value: 0)

  func apply(in transaction: borrowing Transaction) throws(StoreError) {
    begun.signal()
    opened.wait()
  }
}

extension Store {
  /// Submits a gate and returns when the writer stands in it.
  func closeGate() -> Gate {
    let gate = Gate()
    submit(
      gate, CommandOptions(caller: CommandCaller(principal: 0)),
      target: RecordingTarget(expecting: 1)
    ) { _ in
      []
    } completion: { _ in
    }
    gate.begun.wait()
    return gate
  }
}

extension CommandOptions {
  static func of(
    _ principal: Int64, key: [UInt8]? = nil, hash: UInt8 = 0, deadline: UInt64 = 0,
    cancellation: CommandCancellation? = nil
  ) -> CommandOptions {
    CommandOptions(
      caller: CommandCaller(principal: principal),
      idempotency: key.map {
        CommandKey(key: $0, requestHash: [UInt8](repeating: hash, count: 32))
      }, deadlineNanoseconds: deadline, cancellation: cancellation)
  }
}

extension EquipmentContent {
  static func riser(_ brand: String = "Hoyt", _ model: String = "Formula") -> EquipmentContent {
    EquipmentContent(type: .riser, values: [.text(brand), .text(model)])
  }
}

extension TemporaryDirectory {
  /// Whether any file of the directory holds these bytes.
  func holds(_ bytes: [UInt8]) throws -> Bool {
    for name in try FileManager.default.contentsOfDirectory(atPath: path) {
      let data = try Data(contentsOf: URL(filePath: path + "/" + name))
      if data.range(of: Data(bytes)) != nil { return true }
    }
    return false
  }
}
