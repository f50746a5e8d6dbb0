import QuiverRules

/// Replays an event with the rules of Quiver.
struct EventReplay {
  private let event: PublishedEvent
  /// How many shoot in the bracket.
  private let entrantCount: Int
  private let exempt: ExemptSeeds?
  private var report = EventReport()
  private var results: [BracketPlace: BracketResult] = [:]

  /// 2019-05-01, within the season of the published events.
  static let day: Int32 = 18_017

  static func report(of event: PublishedEvent) throws -> EventReport {
    var replay = try EventReplay(event)
    replay.compareQualification()
    try replay.shoot()
    return replay.report
  }

  private init(_ event: PublishedEvent) throws {
    self.event = event
    let form = ExemptSeeds.all.last { $0.inForceFromDay <= Self.day }
    let count = event.entrants.count
    exempt = form.flatMap { count >= $0.entrantCounts.lowerBound ? $0 : nil }
    entrantCount = min(count, exempt?.entrantCounts.upperBound ?? count)
  }

  private mutating func compareQualification() {
    let form = TiePolicyForm.of(.waOutdoorLegacy, onDay: Self.day)
    let contenders = event.entrants.enumerated().map { index, entrant in
      var counts = [Int](repeating: 0, count: ScoreTally.valueCount)
      counts[10] = entrant.tens
      return Ranking.Contender(
        id: Int64(index + 1),
        tally: ScoreTally(
          total: entrant.score, xCount: entrant.xs, goldCount: entrant.tens, arrowCount: 72,
          endsCompleted: 12, counts: counts))
    }
    let rows = Ranking(form, inProgress: false).ranked(contenders)
    let sharing = Dictionary(grouping: rows, by: \.rank)
    for row in rows {
      let seed = Int(row.contender.id)
      let sharers = sharing[row.rank]?.map { Int($0.contender.id) } ?? []
      report.comparisonCount += 1
      guard !(row.rank..<row.rank + sharers.count).contains(seed) else {
        if sharers.count > 1, seed == row.rank {
          report.undecided.append(
            "rank \(row.rank) of the qualification: seeds "
              + sharers.sorted().map { "\($0)" }.joined(separator: " and ")
              + " are equal in score, tens and X, and published without the lot")
        }
        continue
      }
      // Across the last exempt place a shoot-off decides between equal scores, before tens and X.
      let border = exempt.map { [$0.count, $0.count + 1] } ?? []
      let score = event.entrants[seed - 1].score
      if border.contains(seed), border.allSatisfy({ event.entrants[$0 - 1].score == score }) {
        if seed == border[0] {
          report.undecided.append(
            "seeds \(border[0]) and \(border[1]) of the qualification: both have \(score), across "
              + "the last exempt place, and the source has no shoot-off; by tens and X seed "
              + "\(border[1]) were before")
        }
        continue
      }
      report.disagreements.append(
        "rank of the qualification: replayed \(row.rank), published \(seed)")
    }
  }

  private mutating func shoot() throws {
    report.matchCount = event.matches.count
    var known: Set<BracketPlace> = []
    var used: Set<Int> = []
    var bracket = try fold()
    while let place = bracket.ready.subtracting(known).min() {
      known.insert(place)
      let seeds = (bracket.seeds[place] ?? []).compactMap { $0 }
      let found = event.matches.firstIndex { match in
        match.roundSize == place.roundSize && Set(match.seeds) == Set(seeds)
          && (place.roundSize > 2 || match.isGold == (place == .gold))
      }
      report.comparisonCount += 1
      guard let found else {
        report.disagreements.append("no published match \(Self.name(place)) of seeds \(seeds)")
        continue
      }
      used.insert(found)
      compare(event.matches[found], at: place, seeds)
      bracket = try fold()
    }
    for (index, match) in event.matches.enumerated() where !used.contains(index) {
      report.disagreements.append(
        "line \(match.line): the bracket has no such match of seeds \(match.seeds)")
    }
    compareOrder(bracket)
    compareByes(bracket)
    compareRanks(bracket)
  }

  private func fold() throws -> EliminationBracket {
    try EliminationBracket(entrantCount: entrantCount, exempt: exempt, results: results)
  }

  /// Compares the sides of a match, and its winner with its scores; takes its result.
  private mutating func compare(
    _ match: PublishedEvent.Match, at place: BracketPlace, _ seeds: [Int]
  ) {
    report.compare("the sides of \(Self.name(place))", replayed: seeds, published: match.seeds)
    let marked = match.marks.firstIndex(of: true).flatMap(MatchSide.init(rawValue:))
    let higher: MatchSide? =
      match.scores[0] == match.scores[1]
      ? marked : match.scores[0] > match.scores[1] ? .first : .second
    report.compare(
      "the winner of \(Self.name(place))", replayed: Self.name(higher),
      published: Self.name(match.winner))
    // Who wins goes on, also from the wrong side.
    let isReversed = match.seeds != seeds
    let scores = isReversed ? match.scores.reversed() : match.scores
    results[place] = BracketResult(
      winner: isReversed ? match.winner?.other : match.winner,
      setPoints: event.isCumulative ? [0, 0] : scores,
      totals: event.isCumulative ? scores : [0, 0])
  }

  /// The matches of each round stand in the file as in the chart.
  private mutating func compareOrder(_ bracket: EliminationBracket) {
    let rounds = Dictionary(grouping: bracket.ready, by: \.roundSize)
    for (size, places) in rounds.sorted(by: { $0.key > $1.key }) where size > 2 {
      let published = event.matches.filter { $0.roundSize == size }.sorted { $0.order < $1.order }
      for (place, match) in zip(places.sorted(), published) {
        report.compare(
          "match \(match.order + 1) of round \(size)",
          replayed: Set((bracket.seeds[place] ?? []).compactMap { $0 }),
          published: Set(match.seeds))
      }
    }
  }

  /// No match was published where a seed has a bye.
  private mutating func compareByes(_ bracket: EliminationBracket) {
    for place in bracket.byes.sorted() {
      let seeds = (bracket.seeds[place] ?? []).compactMap { $0 }
      let shot = event.matches.filter { match in
        match.roundSize == place.roundSize && !Set(match.seeds).isDisjoint(with: seeds)
      }
      report.compare(
        "the bye of \(seeds) in \(Self.name(place))", replayed: 0, published: shot.count)
    }
  }

  private mutating func compareRanks(_ bracket: EliminationBracket) {
    let sharing = Dictionary(grouping: bracket.ranks.keys) { bracket.ranks[$0] ?? 0 }
    for (index, entrant) in event.entrants.enumerated() {
      let seed = index + 1
      guard seed <= entrantCount else {
        // Who is not in the bracket keeps the rank of the qualification.
        report.compare("the rank of seed \(seed)", replayed: seed, published: entrant.rank ?? 0)
        continue
      }
      let rank = bracket.ranks[seed]
      guard let published = entrant.rank else {
        compareDisqualified(seed, rank)
        continue
      }
      let sharers = rank.flatMap { sharing[$0] } ?? []
      // Ranks 5 to 8 of the set system need the sums of the arrows, which the source does not have.
      guard let rank, !event.isCumulative, (5...8).contains(rank), sharers.count > 1,
        published != rank
      else {
        report.compare("the rank of seed \(seed)", replayed: rank ?? 0, published: published)
        continue
      }
      report.comparisonCount += 1
      let range = rank..<rank + sharers.count
      if range.contains(published) {
        report.undecided.append(
          "the rank of seed \(seed): replayed \(rank), shared by \(sharers.count) with equal set "
            + "points, published \(published); the source has no sums of arrows")
      } else {
        report.disagreements.append(
          "the rank of seed \(seed): replayed \(rank), shared by \(sharers.count), published "
            + "\(published)")
      }
    }
  }

  /// The source shows two disqualified archers as a match that both lost. Quiver's forfeit of both
  /// ranks them as losers of their round.
  private mutating func compareDisqualified(_ seed: Int, _ rank: Int?) {
    report.comparisonCount += 1
    let lost = event.matches.contains { $0.winner == nil && $0.seeds.contains(seed) }
    let text = "seed \(seed): published without a rank as disqualified"
    if lost {
      report.undecided.append(
        text + "; both forfeit their match here, and have rank \(rank ?? 0)")
    } else {
      report.disagreements.append(text + ", without a match that both lost")
    }
  }

  private static func name(_ side: MatchSide?) -> String {
    side.map { $0 == .first ? "the first side" : "the second side" } ?? "neither side"
  }

  /// As in `round 64, 3`.
  private static func name(_ place: BracketPlace) -> String {
    place == .gold
      ? "the match for gold"
      : place == .bronze
        ? "the match for bronze" : "round \(place.roundSize), \(place.index + 1)"
  }
}
