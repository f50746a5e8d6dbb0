import Foundation
import QuiverCommandLine

/// Measures Quiver and compares the figures with their bounds.
@main
struct Bench {
  static let began = ContinuousClock.now

  static func main() {
    StandardStreams.prepare()
    _ = began
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      switch arguments.first {
      case "--help", "-h": StandardOutput.printOrExit(Options.usage)
      case "--list": list()
      case "codec":
        guard arguments.count == 3, let count = Int(arguments[2]), count > 0 else { try refuse() }
        try Workloads.codec(arguments[1], iterations: count)
      case "inmemory":
        guard (3...4).contains(arguments.count), arguments[1] == "--calls",
          let count = Int(arguments[2]), count > 0,
          let observed = Observed(rawValue: arguments.count > 3 ? arguments[3] : "nothing")
        else { try refuse() }
        var workload = try InMemoryWorkload(callsPerTurn: 1, observing: observed)
        try workload.run(calls: count)
      case "commands":
        guard arguments.count == 4, let command = CountedCommand(rawValue: arguments[1]),
          let count = Int(arguments[2]), count > 0
        else { try refuse() }
        let part = MeasuredPart(rawValue: arguments[3])
        guard part != nil || arguments[3] == "all" else { try refuse() }
        try command.run(count: count, without: part)
      case "comparison":
        guard arguments.count == 3, let part = ComparedPart(rawValue: arguments[1]),
          let count = Int(arguments[2]), count > 0
        else { try refuse() }
        try part.run(count: count)
      case "sweep": try sweep(arguments.dropFirst())
      case "page":
        guard arguments.count == 4, arguments[2] == "--root" else { try refuse() }
        try PerformancePage.write(reportAt: arguments[1], root: arguments[3])
      default: exit(try measure(Options(arguments)) ? 0 : 1)
      }
    } catch let error as Options.Wrong {
      progress("\(error)\n\(Options.usage)")
      exit(64)
    } catch {
      progress("bench: \(error)")
      exit(1)
    }
  }

  private static func sweep(_ arguments: ArraySlice<String>) throws {
    var (isQuick, largest, root) = (false, Int.max, nil as String?)
    var rest = arguments
    while let name = rest.popFirst() {
      switch name {
      case "--quick": isQuick = true
      case "--largest":
        guard let size = rest.popFirst().flatMap({ Int($0) }), size > 0 else { try refuse() }
        largest = size
      case "--page":
        guard let path = rest.popFirst() else { try refuse() }
        root = path
      default: try refuse()
      }
    }
    let sweep = try Sweep.measured(isQuick: isQuick, largest: largest)
    StandardOutput.printOrExit(sweep.markdown)
    if let root { try sweep.write(root: root) }
  }

  private static func refuse() throws -> Never {
    throw Options.Wrong(description: "wrong arguments")
  }

  /// The names of all measures.
  static let measureNames: [String] =
    EchoMeasures.shapes.map(\.name) + CodecMeasures.messages.map { "codec-\($0.0)" }
    + [InMemoryMeasure.name] + CountingMeasure.names + [IdleMeasure.name] + TLSMeasures.names
    + EquipmentMeasures.all.map(\.name)
    + StoreMeasures.names + StreamMeasures.names
    + GatewayMeasures.names
    + [StartMeasure.name, ComparisonMeasures.name, RollupMeasure.name, GeneratorMeasure.name]
    + TournamentMeasures.names + PostgresMeasures.names + FairnessMeasures.names

  private static func list() {
    for name in measureNames { StandardOutput.printOrExit(name) }
  }

  /// Whether every bound was met.
  private static func measure(_ options: Options) throws -> Bool {
    raiseDescriptorLimit()
    let before = try options.comparePath.map { path in
      try JSONDecoder().decode(Report.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    }
    let peers = try Peers(options)
    var report = Report(runs: options.runs, secondsPerSample: options.seconds)
    report.measures += EchoMeasures(options: options, peers: peers).run()
    report.measures += CodecMeasures(options: options, peers: peers).run()
    report.measures += InMemoryMeasure(options: options, peers: peers).run()
    report.measures += CountingMeasure(options: options, peers: peers).run()
    report.measures += IdleMeasure(options: options, peers: peers).run()
    report.measures += TLSMeasures(options: options, peers: peers).run()
    report.measures += EquipmentMeasures(options: options, peers: peers).run()
    report.measures += GatewayMeasures(options: options, peers: peers).run()
    report.measures += StreamMeasures(options: options, peers: peers).run()
    report.measures += StoreMeasures(options: options, peers: peers).run()
    report.measures += StartMeasure(options: options, peers: peers).run()
    report.measures += ComparisonMeasures(options: options, peers: peers).run()
    report.measures += RollupMeasure(options: options).run()
    report.measures += GeneratorMeasure(options: options, peers: peers).run()
    report.measures += TournamentMeasures(options: options, peers: peers).run()
    report.measures += PostgresMeasures(options: options, peers: peers).run()
    report.measures += FairnessMeasures(options: options, peers: peers).run()
    guard !report.measures.isEmpty else {
      throw Options.Wrong(description: "no measure has such a name")
    }
    report.setGoals()
    StandardOutput.printOrExit(Markdown.text(report, before: before))
    if let path = options.jsonPath {
      try report.encoded().write(to: URL(fileURLWithPath: path))
    }
    return report.isMet
  }

  /// Raises the descriptor limit as far as allowed; servers inherit it.
  private static func raiseDescriptorLimit() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}

/// Prints the name of a measure that begins, and how many seconds the program has run for.
func begin(_ measure: String) {
  let seconds = (ContinuousClock.now - Bench.began) / .seconds(1)
  progress("\(Int(seconds)) s: \(measure)")
}

/// Prints progress to standard error.
func progress(_ text: String) {
  FileHandle.standardError.write(Data((text + "\n").utf8))
}
