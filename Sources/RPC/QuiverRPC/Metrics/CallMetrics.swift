package import QuiverMetrics
import QuiverProtobuf
package import QuiverWire

/// Counts the calls of the connections on one reactor, and notes the calls that are logged.
///
/// It is written on its reactor alone, without locks, and its counters may be read from any thread.
/// Calls that are answered before their handler returns are timed in groups: up to
/// ``groupLimit`` calls of one method that came in one read share two readings of the clock, and
/// each counts with their mean.
// Sendable because only the counters are read off the reactor, and they are atomic.
package final class CallMetrics: @unchecked Sendable {
  /// What is noted beside the counts.
  package struct Options: Sendable {
    /// Unary calls that take as long are noted; 0: none.
    package var slowNanoseconds: UInt64 = 0
    /// One of this number of calls is noted; 0: none.
    package var sampledEvery = 0

    package init() {}
  }

  /// Receives what is noted, with the connection that it happened on. On the reactor.
  package typealias Receiver = @Sendable (ServerOccurrence, ConnectionInfo) -> Void

  package static let bounds = BucketBounds.seconds
  private static let codeCount = StatusCode.known.count
  private static let standardGroupLimit = 8

  /// The methods by the place of their routes.
  package let methods: [CalledMethod]
  private let options: Options
  private let groupLimit: Int
  private let clock: @Sendable () -> UInt64
  private let receiver: Receiver?

  /// For each method, and for calls that name none, a counter for each code.
  private let handled: CounterCells
  /// For each method its buckets and its sum.
  private let times: CounterCells
  private let limits = CounterCells(count: ReachedLimit.allCases.count)
  /// How many calls took a place in the stream table, and how many of them have ended.
  private let open = CounterCells(count: 2)

  /// What connections hold of messages that they received, and that they are to send.
  private let heldBytes = CounterCells(count: 2)

  @exclusivity(unchecked)  // the reactor is the one owner of this and of what follows
  private var groupRoute = -1
  @exclusivity(unchecked)
  private var groupCount = 0
  @exclusivity(unchecked)
  private var groupStart: UInt64 = 0
  @exclusivity(unchecked)
  private var callsUntilSample: Int
  @exclusivity(unchecked)
  private var noted: [ServerOccurrence] = []
  /// A group is open, or something was noted: ``endTurn(of:)`` has work.
  @exclusivity(unchecked)
  private(set) var isPending = false

  /// - Parameters:
  ///   - clock: monotonic nanoseconds.
  ///   - receiver: called with what is noted; nil: nothing is noted.
  package init(
    _ router: Router, _ options: Options = Options(), clock: @escaping @Sendable () -> UInt64,
    receiver: Receiver? = nil
  ) {
    methods = router.routes.map { CalledMethod($0.method) }
    self.options = options
    self.clock = clock
    self.receiver = receiver
    // Each line of the access log is of one call.
    groupLimit = options.sampledEvery > 0 ? 1 : Self.standardGroupLimit
    callsUntilSample = options.sampledEvery
    handled = CounterCells(count: (methods.count + 1) * Self.codeCount)
    times = CounterCells(count: methods.count * (Self.bounds.bucketCount + 1))
  }

  // MARK: Calls that are answered before their handlers return

  /// The handler of a call is about to start.
  @inline(__always)
  func willStart(_ route: Int) {
    if groupCount > 0 {
      if groupRoute == route { return }
      endGroup()
    } else {
      groupStart = clock()
    }
    groupRoute = route
  }

  /// The handler of the call that started last has answered before it returned.
  @inline(__always)
  func answeredAtOnce() {
    groupCount &+= 1
    isPending = true
    if groupCount >= groupLimit { endGroup() }
  }

  /// The same for an answer that is a failure.
  func failedAtOnce(_ route: Int, _ error: RPCError, traceparent: [UInt8]) {
    endGroup()
    handled.add(at: cell(route, error.code))
    let end = clock()
    let taken = end &- groupStart
    groupStart = end
    observe(taken, count: 1, route)
    note(route, error.code, error.message, taken, traceparent: traceparent)
  }

  private func endGroup() { endGroup(at: clock()) }

  private func endGroup(at now: UInt64) {
    guard groupCount > 0 else { return }
    let taken = now &- groupStart
    handled.add(UInt64(groupCount), at: cell(groupRoute, .ok))
    observe(taken / UInt64(groupCount), count: UInt64(groupCount), groupRoute)
    note(groupRoute, .ok, "", taken, count: groupCount)
    groupCount = 0
    groupStart = now
  }

  // MARK: Calls in the stream table

  /// A call takes a place in the stream table; answers the time.
  func opened() -> UInt64 {
    open.add(at: 0)
    let now = clock()
    endGroup(at: now)
    return now
  }

  /// The outcome of a call in the stream table is decided.
  func ended(
    _ route: Int, _ code: StatusCode, message: String = "", since start: UInt64,
    traceparent: [UInt8]
  ) {
    open.add(at: 1)
    handled.add(at: cell(route, code))
    let taken = clock() &- start
    observe(taken, count: 1, route)
    note(route, code, message, taken, traceparent: traceparent)
  }

  /// A call was refused before its handler could start.
  ///
  /// - Parameter route: nil where it names no method.
  func refused(_ route: Int?, _ code: StatusCode) {
    handled.add(at: cell(route ?? methods.count, code))
  }

  private func cell(_ route: Int, _ code: StatusCode) -> Int {
    let known = code.isKnown ? code : .unknown
    return route * Self.codeCount + Int(clamping: known.rawValue)
  }

  private func observe(_ nanoseconds: UInt64, count: UInt64, _ route: Int) {
    let first = route * (Self.bounds.bucketCount + 1)
    times.add(count, at: first + Self.bounds.bucket(of: nanoseconds))
    times.add(nanoseconds &* count, at: first + Self.bounds.bucketCount)
  }

  // MARK: Memory

  /// A connection holds more or less for its peer, in bytes.
  func held(inputChange: Int, outputChange: Int) {
    heldBytes.add(UInt64(truncatingIfNeeded: inputChange), at: 0)
    heldBytes.add(UInt64(truncatingIfNeeded: outputChange), at: 1)
  }

  // MARK: What is noted

  /// A limit was reached.
  func reached(_ limit: ReachedLimit) {
    limits.add(at: limit.rawValue)
    if !limit.isRoutine { note(.limitReached(limit)) }
  }

  func note(_ occurrence: ServerOccurrence) {
    guard receiver != nil else { return }
    noted.append(occurrence)
    isPending = true
  }

  private func note(
    _ route: Int, _ code: StatusCode, _ message: String, _ nanoseconds: UInt64, count: Int = 1,
    traceparent: [UInt8] = []
  ) {
    guard receiver != nil else { return }
    let isSlow =
      options.slowNanoseconds > 0 && nanoseconds >= options.slowNanoseconds
      && methods[route].kind == .unary
    var isSampled = false
    if options.sampledEvery > 0 {
      callsUntilSample -= count
      isSampled = callsUntilSample <= 0
      if isSampled { callsUntilSample = options.sampledEvery }
    }
    guard isSlow || isSampled || Self.isServerFault(code) else { return }
    note(
      .callEnded(
        EndedCall(
          method: methods[route].name, code: code, message: message, nanoseconds: nanoseconds,
          count: count, traceparent: traceparent, isSlow: isSlow, isSampled: isSampled)))
  }

  package static func isServerFault(_ code: StatusCode) -> Bool {
    code == .internal || code == .unknown || code == .dataLoss
  }

  /// Ends the group, and hands over what was noted on a connection since its turn began.
  func endTurn(of connection: ConnectionInfo) {
    endGroup()
    isPending = false
    guard !noted.isEmpty, let receiver else { return }
    let occurrences = noted
    noted.removeAll(keepingCapacity: true)
    for occurrence in occurrences { receiver(occurrence, connection) }
  }

  // MARK: Counts, from any thread

  /// Calls of a method that ended with a code; nil: calls that named no method.
  package func handledCount(_ route: Int?, _ code: StatusCode) -> UInt64 {
    handled.value(at: cell(route ?? methods.count, code))
  }

  /// The times of a method's calls, in nanoseconds.
  package func times(_ route: Int) -> HistogramSnapshot {
    let first = route * (Self.bounds.bucketCount + 1)
    return HistogramSnapshot(
      buckets: (0..<Self.bounds.bucketCount).map { times.value(at: first + $0) },
      sum: times.value(at: first + Self.bounds.bucketCount))
  }

  package func count(of limit: ReachedLimit) -> UInt64 { limits.value(at: limit.rawValue) }

  /// Bytes that connections hold of messages that they received.
  package var heldInputBytes: Int { Int(truncatingIfNeeded: heldBytes.value(at: 0)) }

  /// Bytes that connections hold of messages that they are to send.
  package var heldOutputBytes: Int { Int(truncatingIfNeeded: heldBytes.value(at: 1)) }

  /// Calls whose outcome is not decided, apart from those that are answered at once.
  package var openCallCount: Int {
    let ended = open.value(at: 1)
    return Int(clamping: max(open.value(at: 0), ended) - ended)
  }
}
