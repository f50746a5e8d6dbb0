import Foundation
import QuiverRules
import QuiverStore

/// The cost of storing an arrow in a round with a setup, compared with a round without one.
struct RollupMeasure {
  static let name = "arrow-rollup"
  private static let sentence = "an arrow stored in a round with a setup against one without"
  private static let bound = 1.3
  private static let arrowsPerRound = 60

  let options: Options

  func run() -> [Report.Measure] {
    guard options.wants(Self.name) else { return [] }
    begin(Self.name)
    var measure = Report.Measure(name: Self.name, sentence: Self.sentence)
    var with: [Way: [Double]] = [:]
    var without: [Way: [Double]] = [:]
    do {
      let bench = try Bench()
      defer { bench.end() }
      for run in 0..<options.runs {
        for way in Way.allCases {
          // The order alternates, so that each runs first in turn.
          let first = try bench.sample(way, hasSetup: run % 2 == 0, seconds: options.seconds)
          let second = try bench.sample(way, hasSetup: run % 2 == 1, seconds: options.seconds)
          with[way, default: []].append(run % 2 == 0 ? first : second)
          without[way, default: []].append(run % 2 == 0 ? second : first)
        }
      }
    } catch {
      measure.remarks.append(String(describing: error))
    }
    for way in Way.allCases {
      let (some, none) = (with[way] ?? [], without[way] ?? [])
      measure.subjects += [
        Report.Subject(name: "with a setup, \(way.rawValue)", unit: "µs", samples: some),
        Report.Subject(name: "without one, \(way.rawValue)", unit: "µs", samples: none),
      ]
      measure.figures.append(
        Report.Figure(
          name: "with to without, \(way.rawValue)", unit: "",
          samples: Statistics.ratios(some, none), bound: Self.bound))
    }
    return [measure]
  }

  private enum Way: String, CaseIterable {
    case alone = "a commit each"
    case batch = "60 in a commit"
  }

  /// A store of one archer with one setup.
  private final class Bench {
    private let folder: URL
    private let store: Store
    private let options: CommandOptions
    private let setup: Int64

    init() throws {
      folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("quiver-bench-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      store = try Store(.unlimited(folder.path))
      let archer = try store.perform(
        CreatePrincipal(kind: .user, displayName: "Robin"),
        CommandOptions(caller: CommandCaller(principal: 0)))
      options = CommandOptions(caller: CommandCaller(principal: archer.id))
      var draft = BowSetupDraft()
      draft.name = "Indoor"
      setup = try store.perform(CreateBowSetup(draft), options).id
    }

    func end() {
      store.close()
      try? FileManager.default.removeItem(at: folder)
    }

    /// Microseconds of this process's CPU for one arrow.
    func sample(_ way: Way, hasSetup: Bool, seconds: Double) throws -> Double {
      var arrows = 0
      var spent: UInt64 = 0
      while Double(spent) < seconds * 1e9 {
        let drafts = try round(hasSetup: hasSetup)
        let began = Self.processNanoseconds()
        switch way {
        case .alone:
          for draft in drafts { _ = try store.perform(RecordArrows(draft), options) }
        case .batch:
          _ = try store.perform(
            ApplyOperations(drafts.map { .success($0) }, path: "operations"), options)
        }
        spent += Self.processNanoseconds() - began
        arrows += drafts.count
      }
      return Double(spent) / Double(arrows) / 1000
    }

    private func round(hasSetup: Bool) throws -> [OperationDraft] {
      var content = CreateSession.Content(.codename("wa18"))
      if hasSetup { content.setup = SetupChoice(.id(setup)) }
      let session = try store.perform(CreateSession(content), options)
      guard let participant = session.rounds.first?.participant.id else {
        throw Unmeasured("a session without a round")
      }
      return try (0..<RollupMeasure.arrowsPerRound).map { index in
        var content = OperationDraft.Content(.id(participant))
        content.endIndex = UInt32(index / 3)
        content.arrowIndex = UInt32(index % 3)
        content.value = UInt32(6 + index % 5)
        content.x = Double(index % 7) / 20
        content.y = Double(index % 5) / 20
        return try OperationDraft(content, path: "operation.")
      }
    }

    private static func processNanoseconds() -> UInt64 {
      var time = timespec()
      clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
      return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
  }
}
