import Dispatch
import QuiverRPC
import QuiverStore
import QuiverWire
import Synchronization
import Testing

@testable import QuiverService

@Suite("Turns of computations", .timeLimit(.minutes(5)))
struct ComputeExecutorTests {
  private final class Order: Sendable {
    private let owners = Mutex<[Int64]>([])
    private let gate = DispatchSemaphore(value: 0)

    var all: [Int64] { owners.withLock { $0 } }

    func note(_ owner: Int64) { owners.withLock { $0.append(owner) } }
    func hold() { gate.wait() }
    func release() { gate.signal() }
  }

  @Test("Principals take turns: one computation behind fifty of another runs second")
  func turns() async throws {
    let executor = ComputeExecutor(threads: 1)
    let order = Order()
    var tasks = [Task(executorPreference: try executor.executor(of: 9)) { order.hold() }]
    for owner in Array(repeating: 1, count: 50) + [2] as [Int64] {
      tasks.append(Task(executorPreference: try executor.executor(of: owner)) { order.note(owner) })
    }
    order.release()
    for task in tasks { await task.value }
    #expect(order.all == [1, 2] + Array(repeating: 1, count: 49))
  }

  @Test("Of one principal one computation runs at a time, and the others wait up to a limit")
  func limit() async throws {
    let executor = ComputeExecutor(threads: 3)
    let order = Order()
    var tasks = [Task(executorPreference: try executor.executor(of: 1)) { order.hold() }]
    // Runs although the principal before it has all its turns.
    await Task(executorPreference: try executor.executor(of: 2)) { order.note(2) }.value
    var refusal: RPCError?
    for _ in 0...StoreLimits.waitingLongReadsPerOwner + 1 {
      do throws(RPCError) {
        tasks.append(Task(executorPreference: try executor.executor(of: 1)) { order.note(1) })
      } catch {
        refusal = error
      }
    }
    #expect(refusal?.code == .resourceExhausted)
    // None of them runs beside the first.
    #expect(order.all == [2])
    _ = try executor.executor(of: 2)
    order.release()
    for task in tasks { await task.value }
    let count = order.all.count
    #expect(
      count == StoreLimits.waitingLongReadsPerOwner + 1
        || count == StoreLimits.waitingLongReadsPerOwner + 2)
    _ = try executor.executor(of: 1)
  }
}
