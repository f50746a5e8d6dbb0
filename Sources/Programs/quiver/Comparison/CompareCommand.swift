import QuiverAPI
import QuiverClient
import QuiverJSON
import QuiverRPC

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `quiver compare`: which of two to four setups shoots better, with its uncertainty.
enum CompareCommand {
  private static let range = Flag(
    "--range", .word("RANGE"), "\(RangeWord.usage); else the stored one")
  private static let unfinished = Flag("--unfinished", .none, "also use rounds in progress")
  private static let method = Flag("--method", .word("METHOD"), "welch, bootstrap-t or none")
  private static let seed = Flag("--seed", .word("N"), "the seed of the bootstrap")
  private static let ignore = Flag(
    "--ignore", .words("CONDITION"), "place, weather, wind or light: do not divide strata by it")
  private static let plot = Flag(
    "--plot", .word("FILE.svg"), "draw the shots, their ellipses and the values")

  static let command = Command(
    "compare", operands: "A B [C [D]]", summary: "compare bow setups with confidence intervals",
    details: """
      A and B are names or IDs of setups. Differences are B minus A. The verdict is based on
      rounds, not on arrows, because the arrows of one round are not independent; it needs 5 rounds
      of each setup. FILE.svg must not exist.
      """,
    flags: [range, unfinished, method, seed, ignore, plot, .json, .timeout], run: run)

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    let words = try arguments.operands(2...4, "two setups")
    var request = try request(arguments)
    let access = try Access(arguments)
    let file = try arguments.value(of: plot).map { (path) throws(Failure) in
      try OutputFile.make(path: path)
    }
    let known = try await ComparableSetups(access)
    request.setups = try words.map { (word) throws(Failure) in try known.setup(word, arguments) }
    let wanted = request
    let response = try await access.attemptPlainly { () async throws(RPCError) in
      try await access.client.call(Comparison.compare, wanted)
    }
    if let file {
      try file.write(line: ComparisonPlot.svg(response))
      try file.keep()
    }
    try Terminal.print(
      arguments.has(.json)
        ? MessageJSON(printsZeros: true, isPretty: true).text(of: response)
        : ComparisonText.text(response))
  }

  private static func request(_ arguments: Arguments) throws(Failure) -> CompareRequest {
    var request = CompareRequest()
    request.includeUnfinished = arguments.has(unfinished)
    request.includeShots = arguments.has(plot)
    if let word = arguments.value(of: range) {
      let now = Int64(exactly: (Date().timeIntervalSince1970 * 1_000).rounded()) ?? 0
      guard let choice = RangeWord.range(word, now: now) else {
        throw arguments.usage("--range expects \(RangeWord.usage), not \(word)")
      }
      request.range = choice
    }
    if let word = arguments.value(of: method) {
      guard let number = EnumWord.number(of: word, InferenceMethod.schema) else {
        throw arguments.usage("--method expects welch, bootstrap-t or none, not \(word)")
      }
      request.method = InferenceMethod(rawValue: number)
    }
    for word in arguments.values(of: ignore) {
      guard let number = EnumWord.number(of: word, StratumAspect.schema) else {
        throw arguments.usage("--ignore expects place, weather, wind or light")
      }
      request.ignoreConditions.append(StratumAspect(rawValue: number))
    }
    if let word = arguments.value(of: seed) {
      guard let number = UInt64(word) else {
        throw arguments.usage("--seed expects a whole number, not \(word)")
      }
      request.seed = number
    }
    return request
  }
}

/// The setups to choose from, by name or id.
struct ComparableSetups {
  private let setups: [ComparableSetup]

  /// Fetches all of them from the server.
  init(_ access: Access) async throws(Failure) {
    var request = ListComparableSetupsRequest()
    request.pageSize = 500
    var found: [ComparableSetup] = []
    repeat {
      let wanted = request
      let page = try await access.attempt { () async throws(RPCError) in
        try await access.client.call(Comparison.listComparableSetups, wanted)
      }
      found += page.setups
      request.pageToken = page.nextPageToken
    } while !request.pageToken.isEmpty
    setups = found
  }

  /// The setup with this name, case-insensitively, otherwise with this id. Inactive ones need the
  /// id.
  func setup(_ word: String, _ arguments: Arguments) throws(Failure) -> ComparedSetup {
    let exact = setups.filter { $0.displayName == word }
    let named =
      exact.isEmpty
      ? setups.filter { $0.displayName.lowercased() == word.lowercased() } : exact
    var setup = ComparedSetup()
    if named.count > 1 {
      let ids = named.map { "\($0.id)" }.joined(separator: ", ")
      throw .input("several setups are called \(word); name one by its ID: \(ids)")
    }
    if let found = named.first {
      setup.id = found.id
    } else if let id = Int64(word), id > 0 {
      setup.id = id
    } else {
      throw .input(
        "there is no active setup \(word)"
          + Spelling.question(word, among: setups.map(\.displayName)))
    }
    return setup
  }
}
