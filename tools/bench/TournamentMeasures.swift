import Foundation
import QuiverAPI
import QuiverProtobuf
import QuiverRPC

/// The server's cost of events: arrows in large and small ones, subscribers, a page of standings.
struct TournamentMeasures {
  static let names = ["arrow-10000", "subscribers", "leaderboard-50", "category-50"]

  /// The bound of an arrow in the large event divided by one in the small event.
  private static let arrowBound = 1.5
  /// Percentages of a core.
  private static let subscribersBound = 30.0
  private static let moreSubscribersBound = 50.0
  /// Milliseconds from an arrow to the last subscriber.
  private static let delayBound = 300.0
  /// Messages per second and subscriber.
  private static let messagesBound = 4.0
  /// The bound of a page divided by the unary echo.
  private static let pageBound = 6.0
  /// The bound of a page of a category divided by one of the whole event.
  private static let categoryBound = 1.5

  private static let largeCount = 10_000
  private static let smallCount = 100
  private static let watchedCount = 50
  private static let fewSubscribers = 1_000
  private static let manySubscribers = 10_000
  /// Arrows a second while subscribers read.
  private static let rate = 50
  /// The factor of a sample's length that gives enough arrows for a 99th percentile.
  private static let watchedSpan = 5.0
  /// The number of loopback addresses of the subscribers.
  private static let sources = 250

  /// The output of the peer.
  struct Sample: Decodable {
    var calls: Double
    var errors: Double
    var seconds: Double
    var p50Nanoseconds: Double
    var p99Nanoseconds: Double
    var serverCPUNanoseconds: Double
    var untold: Double
    var messages: Double
    var messageBytes: Double
    var mostMessages: Double
    var sentP50Nanoseconds: Double
    var sentP99Nanoseconds: Double
    var answeredP99Nanoseconds: Double

    var cpuMicroseconds: Double { serverCPUNanoseconds / calls / 1000 }
    var share: Double { 100 * serverCPUNanoseconds / seconds / 1e9 }
    /// A span has one message more than intervals.
    var messagesASecond: Double { max(0, mostMessages - 1) / seconds }
  }

  let options: Options
  let peers: Peers

  func run() -> [Report.Measure] {
    let wanted = Self.names.filter { options.wants($0) }
    return wanted.map { name in
      begin(name)
      do {
        try peers.check([peers.path("event")])
        try peers.check([peers.path("load")])
        return switch name {
        case "arrow-10000": try arrows()
        case "subscribers": try subscribers()
        case "category-50": try categoryPage()
        default: try page()
        }
      } catch {
        var measure = Report.Measure(name: name, sentence: "events")
        measure.figures = [Report.Figure(name: "all", unit: "", samples: [], bound: 0)]
        measure.remarks = [String(describing: error)]
        return measure
      }
    }
  }

  private func server(
    _ entries: [Int], ends: Int = 0, withCategories: Bool = false
  ) throws -> Server {
    guard let subject = Subject.all(peers).first(where: { $0.server == "quiverd" }) else {
      throw Unmeasured("no server to call")
    }
    return try Server(subject) { folder in
      try TournamentEvents.fill(folder, entries: entries, ends: ends)
      if withCategories { try TournamentEvents.fillCategories(folder) }
    }
  }

  // MARK: The measures

  /// Arrows go to the entries in turn, as an organiser sends them, in separate calls. Each event
  /// has a subscriber, so that its standings stay loaded.
  private func arrows() throws -> Report.Measure {
    var large: [Sample] = []
    var small: [Sample] = []
    // Enough small events for the slots at any rate.
    let slots = Self.smallCount * TournamentEvents.arrows
    let count = max(1, Int((options.seconds + 0.5) * 20_000) / slots + 1)
    for run in 0..<options.runs {
      let server = try server(
        [Self.largeCount] + Array(repeating: Self.smallCount, count: count))
      defer { server.stop() }
      let events = try TournamentEvents.read(in: server.folder)
      let turns = [
        { large.append(try sample(server, [events[0]], ["--scorers", "16", "--depth", "4"])) },
        {
          small.append(
            try sample(server, Array(events.dropFirst()), ["--scorers", "16", "--depth", "4"]))
        },
      ]
      for turn in run % 2 == 0 ? turns : turns.reversed() { try turn() }
    }
    var measure = Report.Measure(
      name: "arrow-10000",
      sentence: "arrows in an event of 10,000 entries against events of 100, 64 calls in flight")
    let taken = [("10,000 entries", large), ("100 entries", small)]
    measure.subjects = taken.map { name, samples in
      Report.Subject(
        name: name, unit: "µs", samples: samples.map(\.cpuMicroseconds),
        notes: ["calls a second": Statistics.median(samples.map { $0.calls / $0.seconds }) ?? 0])
    }
    measure.figures = [
      Report.Figure(
        name: "10,000 entries to 100", unit: "",
        samples: Statistics.ratios(
          large.map(\.cpuMicroseconds), small.map(\.cpuMicroseconds)), bound: Self.arrowBound)
    ]
    return measure
  }

  /// Each subscriber has its own connection and reads the top 50 of an event of 50, so that each
  /// arrow changes its state.
  private func subscribers() throws -> Report.Measure {
    var few: [Sample] = []
    var many: [Sample] = []
    for run in 0..<options.runs {
      let server = try server([Self.watchedCount, Self.watchedCount])
      defer { server.stop() }
      let events = try TournamentEvents.read(in: server.folder)
      let turns = [
        { few.append(try watched(server, events[0], Self.fewSubscribers)) },
        { many.append(try watched(server, events[1], Self.manySubscribers)) },
      ]
      for turn in run % 2 == 0 ? turns : turns.reversed() { try turn() }
    }
    var measure = Report.Measure(
      name: "subscribers",
      sentence: "the top 50 watched over a connection each, with \(Self.rate) arrows a second")
    for (name, samples) in [("1,000 subscribers", few), ("10,000 subscribers", many)] {
      measure.subjects.append(
        Report.Subject(
          name: name, unit: "% of a core", samples: samples.map(\.share),
          notes: ["messages a second": Statistics.median(samples.map(\.messagesASecond)) ?? 0]))
      measure.subjects.append(
        Report.Subject(
          name: "\(name), p99 from an arrow's answer to the last", unit: "ms",
          samples: samples.map { $0.answeredP99Nanoseconds / 1e6 }))
    }
    measure.figures = [
      Report.Figure(
        name: "1,000 subscribers", unit: "% of a core", samples: few.map(\.share),
        bound: Self.subscribersBound),
      Report.Figure(
        // Measured from sending, which is before the commit.
        name: "p99 from an arrow to the last of 1,000", unit: "ms",
        samples: few.map { $0.sentP99Nanoseconds / 1e6 }, bound: Self.delayBound),
      Report.Figure(
        name: "messages a second and subscriber", unit: "",
        samples: zip(few, many).map { max($0.messagesASecond, $1.messagesASecond) },
        bound: Self.messagesBound),
      Report.Figure(
        name: "10,000 subscribers, more", unit: "% of a core",
        samples: zip(many, few).map { $0.share - $1.share }, bound: Self.moreSubscribersBound),
      Report.Figure(
        name: "p99 from an arrow to the last of 10,000", unit: "ms",
        samples: many.map { $0.sentP99Nanoseconds / 1e6 }, bound: nil),
    ]
    return measure
  }

  private func page() throws -> Report.Measure {
    let server = try server([Self.smallCount], ends: 6)
    defer { server.stop() }
    var request = GetStandingsRequest()
    request.tournamentID = try TournamentEvents.read(in: server.folder)[0].id
    request.pageSize = 50
    let calls = [
      Self.call(Tournament.getStandings.info, request), ["--method", "769"],
    ]
    var measure = Report.Measure(
      name: "leaderboard-50",
      sentence: "a page of 50 rows of a leaderboard against the echo, 16 connections")
    for (depth, bound) in [(1, Self.pageBound), (16, nil)] as [(Int, Double?)] {
      try compare(calls, ["50 rows", "echo"], server, depth: depth, bound: bound, &measure)
    }
    return measure
  }

  /// The same page again and again, of one of 40 categories and of the whole event.
  private func categoryPage() throws -> Report.Measure {
    let server = try server([], withCategories: true)
    defer { server.stop() }
    let (event, category) = try TournamentEvents.readCategory(in: server.folder)
    var ofCategory = GetCategoryStandingsRequest()
    (ofCategory.tournamentID, ofCategory.categoryID, ofCategory.pageSize) = (event, category, 50)
    var ofEvent = GetStandingsRequest()
    (ofEvent.tournamentID, ofEvent.pageSize) = (event, 50)
    let calls = [
      Self.call(Events.getCategoryStandings.info, ofCategory),
      Self.call(Tournament.getStandings.info, ofEvent),
    ]
    var measure = Report.Measure(
      name: "category-50",
      sentence: "a page of 50 rows of one of 40 categories with 2,000 entries against one of the"
        + " whole event, 16 connections")
    for (depth, bound) in [(1, Self.categoryBound), (16, nil)] as [(Int, Double?)] {
      try compare(calls, ["category", "event"], server, depth: depth, bound: bound, &measure)
    }
    return measure
  }

  /// Adds the server's time of two calls, and the first divided by the second.
  private func compare(
    _ calls: [[String]], _ names: [String], _ server: Server, depth: Int, bound: Double?,
    _ measure: inout Report.Measure
  ) throws {
    var samples: [[Double]] = [[], []]
    for run in 0..<options.runs {
      for call in run % 2 == 0 ? [0, 1] : [1, 0] {
        samples[call].append(try load(server, calls[call], depth: depth))
      }
    }
    for (name, taken) in zip(names, samples) {
      measure.subjects.append(
        Report.Subject(name: "\(name), depth \(depth)", unit: "µs", samples: taken))
    }
    measure.figures.append(
      Report.Figure(
        name: "\(names[0]) to \(names[1]), depth \(depth)", unit: "",
        samples: Statistics.ratios(samples[0], samples[1]), bound: bound))
  }

  private static func call(_ method: MethodInfo, _ request: some Message) -> [String] {
    let digits = request.serializedBytes().map { byte in
      String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }
    return ["--method", "\(method.id)", "--request", digits.joined()]
  }

  // MARK: The clients

  private func watched(
    _ server: Server, _ event: TournamentEvents.Event, _ count: Int
  ) throws -> Sample {
    let sample = try sample(
      server, [event],
      [
        "--subscribers", "\(count)", "--sources", "\(Self.sources)", "--rate", "\(Self.rate)",
        "--scorers", "4",
      ], seconds: options.seconds * Self.watchedSpan, warmup: 1)
    guard sample.untold == 0 else {
      throw Unmeasured("\(sample.untold) arrows never came to all of \(count) subscribers")
    }
    return sample
  }

  /// Arrows in events with consecutive ids, each with a subscriber.
  private func sample(
    _ server: Server, _ events: [TournamentEvents.Event], _ arguments: [String],
    seconds: Double? = nil, warmup: Double = 0.5
  ) throws -> Sample {
    guard let first = events.first else { throw Unmeasured("there is no event") }
    let isRow = events.enumerated().allSatisfy { index, event in
      event.id == first.id + Int64(index)
        && event.firstParticipant == first.firstParticipant + Int64(index * first.entries)
    }
    guard isRow else { throw Unmeasured("the events do not follow each other") }
    let sample = try Programs.json(
      Sample.self,
      [
        peers.path("event"), "--connect", "127.0.0.1:\(server.port)", "--pid", "\(server.pid)",
        "--token-file", TournamentEvents.tokenPath(in: server.folder), "--tournament",
        "\(first.id)", "--participant", "\(first.firstParticipant)", "--entries",
        "\(first.entries)", "--events", "\(events.count)", "--subscribers", "\(events.count)",
        "--arrows", "\(TournamentEvents.arrows)", "--per-end",
        "\(TournamentEvents.arrowsPerEnd)", "--top", "50", "--seconds",
        "\(seconds ?? options.seconds)", "--warmup", "\(warmup)",
      ] + arguments, core: Programs.loadCore)
    guard sample.errors == 0, sample.calls > 0, sample.serverCPUNanoseconds > 0 else {
      throw Unmeasured("\(sample.errors) of \(sample.calls) calls failed")
    }
    return sample
  }

  /// Microseconds of the server's CPU for one call.
  private func load(_ server: Server, _ call: [String], depth: Int) throws -> Double {
    let sample = try Programs.json(
      EchoMeasures.Sample.self,
      [
        peers.path("load"), "--token-file", TournamentEvents.tokenPath(in: server.folder),
        "--connect", "127.0.0.1:\(server.port)", "--connections", "16", "--depth", "\(depth)",
        "--seconds", "\(options.seconds)", "--pid", "\(server.pid)",
      ] + call, core: Programs.loadCore)
    guard sample.errors == 0, sample.calls > 0, sample.serverCPUNanoseconds > 0 else {
      throw Unmeasured("\(sample.errors) of \(sample.calls) calls failed")
    }
    return sample.serverCPUNanoseconds / sample.calls / 1000
  }
}
