import QuiverAPI
import QuiverProtobuf

/// What a server did between two of its statuses. Its JSON form is a line of `quiver top --json`.
struct TopSample: Message {
  var atMilliseconds: Double = 0
  var software = ""
  var isServing = false
  var reason = ""
  /// Seconds between the statuses; 0 for the first one, which has no rates.
  var seconds: Double = 0
  var uptimeSeconds: Double = 0
  var callsPerSecond: Double = 0
  var errorsPerSecond: Double = 0
  var connections: UInt32 = 0
  var connectionsPerSecond: Double = 0
  var openCalls: UInt32 = 0
  var watches: UInt32 = 0
  var heldBytes: Double = 0
  var heldBytesLimit: Double = 0
  var residentBytes: Double = 0
  /// Of one processor.
  var cpuShare: Double = 0
  var queuedCommands: UInt32 = 0
  var waitingReads: UInt32 = 0
  var walBytes: Double = 0
  var commandsPerSecond: Double = 0
  var refusedPerSecond: Double = 0
  var commitsPerSecond: Double = 0
  var commitP99Milliseconds: Double = 0
  var readsPerSecond: Double = 0
  var readP99Milliseconds: Double = 0
  /// Of the newest verified backup; nil: none, or none are scheduled.
  var backupAgeSeconds: Double?
  var backupIntervalSeconds: Double = 0
  var longWork: UInt32 = 0
  var methods: [TopMethod] = []

  static let schema = Schema<Self>(
    "quiver.top.Sample", .double(1, "at_ms", \.atMilliseconds),
    .string(2, "software", \.software), .bool(3, "serving", \.isServing),
    .string(4, "reason", \.reason), .double(5, "seconds", \.seconds),
    .double(6, "uptime_seconds", \.uptimeSeconds),
    .double(7, "calls_per_second", \.callsPerSecond),
    .double(8, "errors_per_second", \.errorsPerSecond), .uint32(9, "connections", \.connections),
    .double(10, "connections_per_second", \.connectionsPerSecond),
    .uint32(11, "open_calls", \.openCalls), .uint32(12, "watches", \.watches),
    .double(13, "held_bytes", \.heldBytes), .double(14, "held_bytes_limit", \.heldBytesLimit),
    .double(15, "resident_bytes", \.residentBytes), .double(16, "cpu_share", \.cpuShare),
    .uint32(17, "queued_commands", \.queuedCommands),
    .uint32(18, "waiting_reads", \.waitingReads), .double(19, "wal_bytes", \.walBytes),
    .double(20, "commands_per_second", \.commandsPerSecond),
    .double(21, "refused_per_second", \.refusedPerSecond),
    .double(22, "commits_per_second", \.commitsPerSecond),
    .double(23, "commit_p99_ms", \.commitP99Milliseconds),
    .double(24, "reads_per_second", \.readsPerSecond),
    .double(25, "read_p99_ms", \.readP99Milliseconds),
    .optionalDouble(26, "backup_age_seconds", \.backupAgeSeconds),
    .double(27, "backup_interval_seconds", \.backupIntervalSeconds),
    .uint32(28, "long_work", \.longWork), .messages(29, "methods", \.methods))
}

/// The calls of a method between two statuses.
struct TopMethod: Message {
  /// Without the package: `Account/WhoAmI`.
  var method = ""
  var callsPerSecond: Double = 0
  var errorsPerSecond: Double = 0
  var p50Milliseconds: Double = 0
  var p99Milliseconds: Double = 0
  /// Since the server started.
  var handled: Double = 0

  static let schema = Schema<Self>(
    "quiver.top.Method", .string(1, "method", \.method),
    .double(2, "calls_per_second", \.callsPerSecond),
    .double(3, "errors_per_second", \.errorsPerSecond), .double(4, "p50_ms", \.p50Milliseconds),
    .double(5, "p99_ms", \.p99Milliseconds), .double(6, "handled", \.handled))
}

extension TopSample {
  /// - Parameter before: the status before; nil, or that of an earlier process: there are no rates.
  init(_ now: ServerStatus, after before: ServerStatus?) {
    let before = before.flatMap {
      $0.startedAtMilliseconds == now.startedAtMilliseconds ? $0 : nil
    }
    let seconds =
      before.map { max(0.001, Double(now.atMilliseconds - $0.atMilliseconds) / 1_000) } ?? 0
    addState(of: now)
    guard let before else {
      methods = now.methods.map { TopMethod($0, after: nil, seconds: 0, now) }
      return
    }
    self.seconds = seconds
    let rate = { (now: UInt64, before: UInt64) in
      now > before ? Double(now - before) / seconds : 0
    }
    let earlier = Dictionary(before.methods.map { ($0.method, $0) }) { first, _ in first }
    methods = now.methods.map {
      TopMethod($0, after: earlier[$0.method] ?? MethodStatus(), seconds: seconds, now)
    }
    methods.sort { ($1.callsPerSecond, $0.method) < ($0.callsPerSecond, $1.method) }
    callsPerSecond = methods.reduce(0) { $0 + $1.callsPerSecond }
    errorsPerSecond = methods.reduce(0) { $0 + $1.errorsPerSecond }
    connectionsPerSecond = rate(now.acceptedConnections, before.acceptedConnections)
    cpuShare = Double(max(0, now.cpuNanoseconds - before.cpuNanoseconds)) / 1e9 / seconds
    commandsPerSecond = rate(now.committedCommands, before.committedCommands)
    refusedPerSecond = rate(now.refusedCommands, before.refusedCommands)
    let commits = TimingChange(now.commits, after: before.commits, now)
    commitsPerSecond = Double(commits.count) / seconds
    commitP99Milliseconds = commits.milliseconds(of: 0.99)
    let reads = TimingChange(now.reads, after: before.reads, now)
    readsPerSecond = Double(reads.count) / seconds
    readP99Milliseconds = reads.milliseconds(of: 0.99)
  }

  /// One sample of a status.
  private mutating func addState(of now: ServerStatus) {
    atMilliseconds = Double(now.atMilliseconds)
    software = now.software
    isServing = now.isServing
    reason = now.reason
    uptimeSeconds = Double(now.atMilliseconds - now.startedAtMilliseconds) / 1_000
    connections = now.openConnections
    openCalls = now.openCalls
    watches = now.watches
    heldBytes = Double(now.heldInputBytes + now.heldOutputBytes)
    heldBytesLimit = Double(now.heldBytesLimit)
    residentBytes = Double(now.residentBytes)
    queuedCommands = now.queuedCommands
    waitingReads = now.waitingReads
    walBytes = Double(now.walBytes)
    backupIntervalSeconds = Double(now.backupIntervalMilliseconds) / 1_000
    longWork = now.longWork
    if let newest = now.newestBackupAtMilliseconds {
      backupAgeSeconds = Double(now.atMilliseconds - newest) / 1_000
    }
  }
}

extension TopMethod {
  fileprivate init(
    _ now: MethodStatus, after before: MethodStatus?, seconds: Double, _ status: ServerStatus
  ) {
    let parts = now.method.split(separator: ".")
    method = parts.last.map(String.init) ?? now.method
    handled = Double(now.handled)
    guard let before else { return }
    callsPerSecond = Double(now.handled &- min(before.handled, now.handled)) / seconds
    errorsPerSecond = Double(now.failed &- min(before.failed, now.failed)) / seconds
    let times = TimingChange(now.time, after: before.time, status)
    p50Milliseconds = times.milliseconds(of: 0.5)
    p99Milliseconds = times.milliseconds(of: 0.99)
  }
}

/// The counts of a histogram between two statuses.
struct TimingChange {
  private let buckets: [UInt64]
  private let bounds: [UInt64]

  init(_ now: Timing?, after before: Timing?, _ status: ServerStatus) {
    let earlier = before?.buckets ?? []
    bounds = status.bucketBoundsNanoseconds
    buckets = (now?.buckets ?? []).enumerated().map { index, count in
      count &- min(count, index < earlier.count ? earlier[index] : 0)
    }
  }

  var count: UInt64 { buckets.reduce(0, &+) }

  /// The time that this share took at most, as far as the buckets tell; 0 if nothing was counted.
  /// Within a bucket it is interpolated; beyond the last bound it is that bound.
  func milliseconds(of share: Double) -> Double {
    let wanted = Double(count) * share
    var passed = 0.0
    for (index, count) in buckets.enumerated() where count > 0 {
      guard passed + Double(count) >= wanted else {
        passed += Double(count)
        continue
      }
      let low = index == 0 ? 0 : Double(bounds[min(index, bounds.count) - 1])
      let high = index < bounds.count ? Double(bounds[index]) : low
      return (low + (high - low) * (wanted - passed) / Double(count)) / 1e6
    }
    return 0
  }
}
