/// The measures of the store, with their bounds.
extension StoreMeasures {
  static let plans = [groups, latency, pointRead, stalls, readsBesideWrites] + imports

  /// 64 callers: 16 programs with four calls each, and 64 with one.
  private static let groups = Plan(
    name: "commands-64", sentence: "durable commands of 64 callers, each keyed and fsynced",
    run: { run in
      // The order rotates, so that each size runs first in turn.
      var rates: [Int: Double] = [:]
      var (directCPU, serverCPU) = (0.0, 0.0)
      for step in 0..<4 {
        switch (step + run.number) % 4 {
        case 0:
          let direct = try run.direct(group: 64)
          rates[0] = direct.rate
          directCPU = direct.cpuMicroseconds
          run.subject("C API in groups of 64, CPU", "µs", direct.cpuMicroseconds)
        case 1:
          let sample = try run.sample(
            run.load(.create, on: run.servers.grouped, connections: 16, depth: 4))
          rates[1] = sample.rate
          serverCPU = sample.cpuMicroseconds
          run.subject("16 connections with 4 calls, server CPU", "µs", sample.cpuMicroseconds)
        case 2:
          rates[2] = try run.sample(
            run.load(.create, on: run.servers.grouped, connections: 64)
          ).rate
        default:
          rates[3] = try run.sample(
            run.load(.create, on: run.servers.single, connections: 16, depth: 4)
          ).rate
        }
      }
      let names = [
        "C API in groups of 64", "16 connections with 4 calls", "64 connections with 1 call",
        "a transaction for each call",
      ]
      for (place, name) in names.enumerated() { run.subject(name, "a second", rates[place] ?? 0) }
      run.figure("C API to RPC", (rates[0] ?? 0) / max(1, rates[1] ?? 0))
      run.figure("server CPU to the C API's CPU", serverCPU / max(0.001, directCPU))
      run.figure("C API to RPC, a connection each", (rates[0] ?? 0) / max(1, rates[2] ?? 0))
      run.figure("one by one to grouped", (rates[3] ?? 0) / max(1, rates[1] ?? 0))
    },
    figures: [
      ("C API to RPC", "", 2), ("server CPU to the C API's CPU", "", nil),
      ("C API to RPC, a connection each", "", nil), ("one by one to grouped", "", 0.25),
    ])

  private static let latency = Plan(
    name: "command-latency", sentence: "a single caller's durable command against fdatasync",
    run: { run in
      // The number of pages that such a commit writes to the log.
      let before = try run.sync(pages: 9).p50Nanoseconds
      let command = try run.sample(
        run.load(.create, on: run.servers.grouped, connections: 1)
      ).p50Nanoseconds
      let sync = (before + (try run.sync(pages: 9).p50Nanoseconds)) / 2
      run.subject("fdatasync p50", "µs", sync / 1000)
      run.subject("command p50", "µs", command / 1000)
      run.figure("command to fdatasync", command / max(1, sync))
    }, figures: [("command to fdatasync", "", 3)])

  private static let pointRead = Plan(
    name: "point-read", sentence: "a point read against the echo, 16 connections with 16 calls",
    run: { run in
      try fill(run)
      let echoFirst = run.number % 2 == 0
      var cpu: [Bool: Double] = [:]
      for isEcho in [echoFirst, !echoFirst] {
        let words = run.load(
          isEcho ? .echo : .read, on: run.servers.grouped, connections: 16, depth: 16)
        cpu[isEcho] = try run.sample(words).cpuMicroseconds
      }
      run.subject("echo, server CPU", "µs", cpu[true] ?? 0)
      run.subject("point read, server CPU", "µs", cpu[false] ?? 0)
      run.figure("point read to echo", (cpu[false] ?? 0) / max(0.001, cpu[true] ?? 0))
    }, figures: [("point read to echo", "", 2.5)])

  private static let stalls = Plan(
    name: "writer-stalls", sentence: "64 callers write flat out, over checkpoints",
    run: { run in
      let sample = try run.sample(
        run.load(
          .create, on: run.servers.grouped, connections: 16, depth: 4,
          seconds: run.options.seconds * 3))
      run.subject("commands", "a second", sample.rate)
      run.subject("p50", "ms", sample.p50Nanoseconds / 1e6)
      run.figure("p99.9", sample.p999Nanoseconds / 1e6)
      run.figure("log", run.logByteCount(of: run.servers.grouped) / 1_048_576)
    }, figures: [("p99.9", "ms", 50), ("log", "MiB", 16)])

  private static let readsBesideWrites = Plan(
    name: "reads-beside-writes",
    sentence: "reads at half their capacity, alone and while 64 callers write flat out",
    run: { run in
      try fill(run)
      let server = run.servers.grouped
      let capacity = try run.sample(run.load(.read, on: server, connections: 16, depth: 16)).rate
      let reads = run.load(.read, on: server, connections: 16, rate: capacity / 2)
      let writes = run.load(.create, on: server, connections: 16, depth: 4, seconds: 600)
      let alone = try run.sample(reads)
      let beside = try run.sample(reads, beside: writes)
      run.subject("reads offered", "a second", capacity / 2)
      run.subject("alone p50", "µs", alone.p50Nanoseconds / 1000)
      run.subject("alone p99", "µs", alone.p99Nanoseconds / 1000)
      run.subject("beside writes p50", "µs", beside.p50Nanoseconds / 1000)
      run.subject("beside writes p99", "µs", beside.p99Nanoseconds / 1000)
      run.figure("p50 beside to alone", beside.p50Nanoseconds / max(1, alone.p50Nanoseconds))
      run.figure("p99 beside to alone", beside.p99Nanoseconds / max(1, alone.p99Nanoseconds))
    }, figures: [("p50 beside to alone", "", 1.1), ("p99 beside to alone", "", 2)])

  /// Creates an item to read.
  private static func fill(_ run: StoreRun) throws {
    _ = try run.sample(run.load(.create, on: run.servers.grouped, connections: 1, seconds: 0.1))
  }
}
