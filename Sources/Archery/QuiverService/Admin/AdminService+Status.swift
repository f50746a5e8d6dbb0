import QuiverAPI
import QuiverMetrics
import QuiverRPC
import QuiverStore
import QuiverWire

extension AdminService {
  func getServerStatus(
    _ request: GetServerStatusRequest, _ call: CallContext
  ) throws -> ServerStatus {
    _ = try call.administrator()
    var status = ServerStatus()
    status.atMilliseconds = StoreClock.system.wallMilliseconds()
    status.bucketBoundsNanoseconds = BucketBounds.seconds.bounds
    addProcess(to: &status)
    addStore(to: &status)
    guard let server = connections.current else { return status }
    addServer(server, to: &status)
    if request.withMethods { status.methods = Self.methods(server.callMetrics) }
    return status
  }

  private func addProcess(to status: inout ServerStatus) {
    let use = process.use()
    status.software = process.software
    status.startedAtMilliseconds = process.startedAtMilliseconds
    status.residentBytes = use.residentBytes
    status.cpuNanoseconds = use.cpuNanoseconds
    let serving = state.status
    status.reason = serving.endReason ?? serving.storeReason ?? ""
    status.isServing = status.reason.isEmpty
  }

  private func addStore(to status: inout ServerStatus) {
    let store = commands.store
    let statistics = store.statistics
    status.watches = UInt32(clamping: watches.count)
    status.queuedCommands = UInt32(clamping: store.queuedCommandCount)
    status.waitingReads = UInt32(clamping: store.reads.waitingCount)
    status.walBytes = Int64(statistics.walByteCount)
    status.committedCommands = statistics.committedCommands
    status.replayedCommands = statistics.replayedCommands
    status.refusedCommands = statistics.refusedCommands
    status.commits = Timing(store.times.commits.snapshot)
    status.reads = Timing(store.times.reads.snapshot)
    status.longWork = UInt32(clamping: store.work.running.count)
    guard let backups = store.backupStatus else { return }
    status.newestBackupAtMilliseconds = backups.newestMilliseconds
    status.backupIntervalMilliseconds = backups.schedule.intervalMilliseconds
  }

  private func addServer(_ server: any ConnectionDirectory, to status: inout ServerStatus) {
    status.openConnections = UInt32(clamping: server.connectionCount)
    status.acceptedConnections = server.acceptedConnectionCount
    status.droppedConnections = server.droppedConnectionCount
    status.heldBytesLimit = Int64(clamping: server.currentLimits.processBytes)
    for metrics in server.callMetrics {
      status.openCalls += UInt32(clamping: metrics.openCallCount)
      status.heldInputBytes += Int64(metrics.heldInputBytes)
      status.heldOutputBytes += Int64(metrics.heldOutputBytes)
    }
  }

  /// The methods that were called, in the order of their names.
  private static func methods(_ metrics: [CallMetrics]) -> [MethodStatus] {
    guard let first = metrics.first else { return [] }
    return first.methods.indices.compactMap { route in
      var method = MethodStatus()
      method.method = first.methods[route].name
      for code in StatusCode.known {
        let count = metrics.reduce(UInt64(0)) { $0 &+ $1.handledCount(route, code) }
        method.handled += count
        if code != .ok { method.failed += count }
      }
      guard method.handled > 0 else { return nil }
      var times = first.times(route)
      for other in metrics.dropFirst() { times.add(other.times(route)) }
      method.time = Timing(times)
      return method
    }.sorted { $0.method < $1.method }
  }
}

extension Timing {
  init(_ snapshot: HistogramSnapshot) {
    self.init()
    count = snapshot.count
    totalNanoseconds = snapshot.sum
    buckets = snapshot.buckets
  }
}
