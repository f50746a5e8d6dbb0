import Foundation
import QuiverRules

/// The measures of the import of a strength log.
extension StoreMeasures {
  static let imports = [importOfMillion, importAgain, commandsBesideImport]

  /// The number of sets per batch, in both programs.
  private static let group = 2_000

  private static let importOfMillion = Plan(
    name: "import-1000000",
    sentence: "a strength log of 1,000,000 lines against its rows by the C API in groups of 2,000",
    run: { run in
      let count = 1_000_000
      let log = try run.strengthLog(lines: count)
      let server = run.servers.grouped
      let directFirst = run.number % 2 == 0
      var rates: [Bool: Double] = [:]
      for isDirect in [directFirst, !directFirst] {
        if isDirect {
          let direct = try run.directLifts(count, group: group)
          rates[true] = direct.rate
          run.subject("C API, CPU of a row", "µs", direct.cpuMicroseconds)
        } else {
          let idle = try ServerMemory(of: server).resident
          let sample = try run.importLog(log, lines: count, to: server)
          rates[false] = sample.rate
          run.subject("ImportSets, server CPU of a line", "µs", sample.cpuMicroseconds)
          run.figure("memory above idle", try ServerMemory(of: server).peak - idle)
        }
      }
      run.subject("C API", "rows a second", rates[true] ?? 0)
      run.subject("ImportSets", "lines a second", rates[false] ?? 0)
      run.figure("C API to ImportSets", (rates[true] ?? 0) / max(1, rates[false] ?? 0))
    }, figures: [("C API to ImportSets", "", 2.5), ("memory above idle", "MiB", 64)])

  /// Logs of which the second import stores nothing.
  private static let importAgain = Plan(
    name: "import-again", sentence: "a strength log imported again against its first import",
    run: { run in
      let server = run.servers.grouped
      let logs = [
        (name: "identical lines", count: 100_000, linesPerDay: 100_000),
        (name: "lines of a log", count: 60_000, linesPerDay: 20),
      ]
      for (archer, log) in logs.enumerated() {
        let file = try run.trainingLog(lines: log.count, perDay: log.linesPerDay)
        let first = try run.importLog(file, lines: log.count, to: server, archer: archer)
        let again = try run.importLog(
          file, lines: log.count, unchanged: true, to: server, archer: archer)
        run.subject("\(log.name), server CPU of a line", "µs", first.cpuMicroseconds)
        run.subject("\(log.name) again, server CPU of a line", "µs", again.cpuMicroseconds)
        run.figure("\(log.name), CPU", again.cpuNanoseconds / max(1, first.cpuNanoseconds))
        run.figure("\(log.name), time", again.seconds / first.seconds)
      }
    },
    figures: [
      ("identical lines, CPU", "", 2), ("identical lines, time", "", 2),
      ("lines of a log, CPU", "", 2), ("lines of a log, time", "", 2),
    ])

  /// Two million sets, so that the import lasts longer than the measured commands.
  private static let commandsBesideImport = Plan(
    name: "commands-beside-import",
    sentence: "100 single commands a second, alone and while a strength log is imported",
    run: { run in
      let log = try run.strengthLog(lines: 2_000_000)
      let server = run.servers.grouped
      let commands = run.load(.create, on: server, connections: 16, rate: 100, seconds: 3)
      let alone = try run.sample(commands)
      let beside = try run.sample(commands, beside: try run.importWords(log, to: server))
      run.subject("alone p50", "µs", alone.p50Nanoseconds / 1000)
      run.subject("alone p99", "µs", alone.p99Nanoseconds / 1000)
      run.subject("beside an import p50", "µs", beside.p50Nanoseconds / 1000)
      run.subject("beside an import p99", "µs", beside.p99Nanoseconds / 1000)
      run.figure("p99 beside to alone", beside.p99Nanoseconds / max(1, alone.p99Nanoseconds))
    }, figures: [("p99 beside to alone", "", 2)])
}

extension StoreRun {
  /// The number of written rows or imported lines.
  struct Lifts: Decodable {
    var rows: Double
    var seconds: Double
    var cpuNanoseconds: Double

    var rate: Double { rows / seconds }
    var cpuMicroseconds: Double { cpuNanoseconds / rows / 1000 }
  }

  /// A log with this many lines, in a file that is deleted with the run's servers.
  func strengthLog(lines: Int) throws -> URL {
    let url = servers.direct.appendingPathComponent("strength.log")
    let text = try Programs.output([peers.path("lifts_direct"), "log", "\(lines)"])
    try Data(text.utf8).write(to: url)
    return url
  }

  /// A log with this many lines, so many each day, in a file that is deleted with the run's
  /// servers. Each exercise has five identical sets in a row; with one day all lines are identical.
  func trainingLog(lines: Int, perDay: Int) throws -> URL {
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    let exercises = ["Squat", "Bench Press", "Deadlift", "Overhead Press"]
    var text = ""
    for index in 0..<lines {
      let day = index / perDay
      let exercise = perDay == lines ? 0 : index % perDay / 5 % exercises.count
      let date = CivilDate(dayNumber: Int32(clamping: 16_000 + day))
      text +=
        "\(months[Int(date.month) - 1]) \(date.day) \(date.year),\(exercises[exercise]),5,"
        + "\(60 + (day + exercise) % 80)\n"
    }
    let url = servers.direct.appendingPathComponent("training-\(perDay).log")
    try Data(text.utf8).write(to: url)
    return url
  }

  /// Writes the rows of such a log with the C API, on the server's core.
  func directLifts(_ count: Int, group: Int) throws -> Lifts {
    try Programs.json(
      Lifts.self,
      [
        peers.path("lifts_direct"), "write",
        servers.direct.appendingPathComponent("data/quiver.db").path, "\(count)", "\(group)",
      ], core: Programs.serverCore)
  }

  func importWords(_ log: URL, to server: Server, archer: Int = 0) throws -> [String] {
    let secrets = try String(
      contentsOf: server.folder.appendingPathComponent(StoreServers.tokens), encoding: .utf8
    ).split(separator: "\n")
    let token = server.folder.appendingPathComponent("token-\(archer)")
    try Data(secrets[archer].utf8).write(to: token)
    return [
      peers.quiver, "strength", "import", log.path, "--server", "127.0.0.1:\(server.port)",
      "--token-file", token.path,
    ]
  }

  /// Imports a log with the command line; none of its lines is new if they are unchanged.
  func importLog(
    _ log: URL, lines: Int, unchanged: Bool = false, to server: Server, archer: Int = 0
  ) throws -> Lifts {
    let cpu = try ServerMemory.cpuNanoseconds(of: server)
    let clock = ContinuousClock()
    let began = clock.now
    let said = try Programs.output(
      importWords(log, to: server, archer: archer), core: Programs.loadCore)
    let took = clock.now - began
    let result = unchanged ? "added 0, unchanged \(lines)" : "added \(lines),"
    guard said.contains(result) else { throw Unmeasured("the import said: \(said)") }
    return Lifts(
      rows: Double(lines), seconds: took / .seconds(1),
      cpuNanoseconds: try ServerMemory.cpuNanoseconds(of: server) - cpu)
  }
}

/// The memory of a server's process in MiB.
private struct ServerMemory {
  let resident: Double
  /// The peak memory.
  let peak: Double

  init(of server: Server) throws {
    let text = try String(contentsOfFile: "/proc/\(server.pid)/status", encoding: .utf8)
    func mebibytes(_ field: String) throws -> Double {
      let line = text.split(separator: "\n").first { $0.hasPrefix(field + ":") }
      guard let words = line?.split(whereSeparator: \.isWhitespace), words.count > 1,
        let kibibytes = Double(words[1])
      else { throw Unmeasured("/proc/\(server.pid)/status tells no \(field)") }
      return kibibytes / 1024
    }
    resident = try mebibytes("VmRSS")
    peak = try mebibytes("VmHWM")
  }

  /// User and system time of all its threads, to a hundredth of a second.
  static func cpuNanoseconds(of server: Server) throws -> Double {
    let text = try String(contentsOfFile: "/proc/\(server.pid)/stat", encoding: .utf8)
    // The name before it may have spaces.
    let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
    guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else {
      throw Unmeasured("/proc/\(server.pid)/stat tells no times")
    }
    return (user + system) * 1e9 / Double(sysconf(Int32(_SC_CLK_TCK)))
  }
}
