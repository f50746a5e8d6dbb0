import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverRules
import QuiverWire

/// `quiver round import`: the practice rounds of another app.
enum RoundImportCommand {
  private static let format = Flag(
    "--format", .word("mytargets"), "the app that exported the file; needed")

  static let command = Command(
    "round import", operands: "FILE", summary: "import practice rounds of another app",
    details: """
      A file of MyTargets, exported in English, has a line for each arrow. The lines of one title,
      date and standard round become a practice round, whose notes name the day; where they begin
      again with the first end, another one begins, with a number behind its name. Rounds of the
      same distances and targets share a round format of the account, of which an equal one is used;
      other rounds of a name that the account has get a number behind it. Arrows have their values
      and the times of their ends, in UTC; positions, bows and arrows are left out. Columns that are
      not known are named. A file with a line that cannot be read adds nothing. A round that was
      imported before is not added again. - is standard input.
      """,
    flags: [format, .timeout], run: run)

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    let path = try arguments.operands(1...1, "one FILE")[0]
    guard arguments.value(of: format) == "mytargets" else {
      throw arguments.usage("--format mytargets is needed")
    }
    let bytes = path == "-" ? try InputText.standardInput() : try InputText.bytes(ofFile: path)
    let file: MyTargetsCSV
    do throws(RuleViolation) {
      file = try MyTargetsCSV(bytes)
    } catch {
      throw .input("\(path): \(error.field) \(error.message)")
    }
    Terminal.notice(unknownColumns: file.unknownColumns)
    let access = try Access(arguments)
    var counts = (added: 0, same: 0)
    var formats: [QuiverAPI.RoundFormat]?
    for training in file.trainings {
      let added = try await put(training, access, &formats)
      counts.added += added
      counts.same += training.passes.reduce(0) { $0 + $1.arrowCount } - added
    }
    try Terminal.confirm(
      "\(file.trainings.count) rounds: added \(counts.added) arrows, unchanged \(counts.same)")
  }

  /// Stores a training; returns how many arrows were new. `formats` are the formats of the account,
  /// nil if they were not needed yet.
  private static func put(
    _ training: MyTargetsCSV.Training, _ access: Access,
    _ formats: inout [QuiverAPI.RoundFormat]?
  ) async throws(Failure) -> Int {
    let name = [training.title, training.standardRound].filter { !$0.isEmpty }
      .joined(separator: ", ")
    // The first one of a name on a day has the key that all had before there were numbers.
    let isFirst = training.number == 1
    let key = "mytargets \(training.day) \(name)" + (isFirst ? "" : "\u{0}\(training.number)")
    let shown = isFirst ? name : "\(name) \(training.number)"
    let milliseconds = Int64(training.day) * 86_400_000
    let ids = DerivedIDs(key, milliseconds: milliseconds)
    let session: ShootingSession
    if let known = try await storedSession(ids.id("session"), access) {
      session = known
    } else {
      let format = try await format(of: training, access, &formats)
      session = try await access.attemptPlainly { () async throws(RPCError) in
        try await access.client.call(
          Rounds.createSession,
          .with { request in
            request.clientID = ids.id("session")
            request.participantClientID = ids.id("participant")
            request.format = .with { $0.id = format }
            request.notes = "\(CivilDate(dayNumber: training.day).text) \(shown)"
          })
      }
    }
    guard let participant = session.rounds.first?.participantID else {
      throw .input("the server created a round without its archer")
    }
    var operations: [ScoringOperation] = []
    var end: UInt32 = 0
    for pass in training.passes {
      for entry in pass.ends {
        for (index, arrow) in entry.arrows.enumerated() {
          var operation = ScoringOperation()
          operation.clientID = ids.id("arrow \(end) \(index)")
          operation.kind = .record
          operation.participantID = participant
          operation.endIndex = end
          operation.arrowIndex = UInt32(index)
          operation.value = UInt32(arrow.value)
          operation.isX = arrow.isX
          operation.scoredAtMilliseconds = milliseconds + Int64(entry.second) * 1_000
          operations.append(operation)
        }
        end += 1
      }
    }
    return try await send(operations, access)
  }

  /// The session that was imported before; nil if there is none.
  private static func storedSession(
    _ id: [UInt8], _ access: Access
  ) async throws(Failure) -> ShootingSession? {
    try await access.attemptPlainly { () async throws(RPCError) -> ShootingSession? in
      do throws(RPCError) {
        return try await access.client.call(Rounds.getSession, .with { $0.clientID = id })
      } catch {
        guard error.code == .notFound else { throw error }
        return nil
      }
    }
  }

  /// The id of the account's first format with the passes of a training, which is created if there
  /// is none.
  private static func format(
    of training: MyTargetsCSV.Training, _ access: Access,
    _ formats: inout [QuiverAPI.RoundFormat]?
  ) async throws(Failure) -> Int64 {
    var known = formats ?? []
    if formats == nil {
      known = try await access.attemptPlainly { () async throws(RPCError) in
        try await access.client.call(Rounds.listFormats, .with { $0.ownOnly = true })
      }.formats
    }
    var wanted = message(training)
    if let equal = known.first(where: { isEqual($0, wanted) }) {
      formats = known
      return equal.id
    }
    wanted.name = unusedName(wanted.name, among: Set(known.map(\.name)))
    let named = wanted
    let made = try await access.attemptPlainly { () async throws(RPCError) in
      try await access.client.call(Rounds.createFormat, .with { $0.format = named })
    }
    formats = known + [made]
    return made.id
  }

  /// A name that no other format of the account has: with the lowest number from 2 behind it if
  /// need be, as in `Portsmouth 2`. A long name is cut, so that the number is within the limit.
  static func unusedName(_ name: String, among used: Set<String>) -> String {
    guard used.contains(name) else { return name }
    var number = 2
    while true {
      let end = " \(number)"
      let kept = name.unicodeScalars.prefix(TextLimits.nameLength - end.unicodeScalars.count)
      let numbered = String(String.UnicodeScalarView(kept)) + end
      guard used.contains(numbered) else { return numbered }
      number += 1
    }
  }

  /// Whether two formats have the same passes, whatever their names.
  private static func isEqual(
    _ one: QuiverAPI.RoundFormat, _ other: QuiverAPI.RoundFormat
  ) -> Bool {
    one.location == other.location && one.passes == other.passes
  }

  private static func send(
    _ operations: [ScoringOperation], _ access: Access
  ) async throws(Failure) -> Int {
    var added = 0
    for first in stride(from: 0, to: operations.count, by: 1_000) {
      let part = Array(operations.dropFirst(first).prefix(1_000))
      let verdicts = try await access.attemptPlainly { () async throws(RPCError) in
        try await access.client.call(Rounds.applyOperations, .with { $0.operations = part })
      }.verdicts
      for verdict in verdicts {
        switch verdict.verdict {
        case .stored: added += 1
        case .same: break
        default: throw .input("an arrow was refused: \(verdict.message)")
        }
      }
    }
    return added
  }

  private static func message(_ training: MyTargetsCSV.Training) -> QuiverAPI.RoundFormat {
    let format = training.format
    return .with { message in
      message.name = format.name
      message.location = QuiverAPI.RoundLocation(rawValue: format.location.rawValue)
      message.passes = format.passes.map { pass in
        .with { message in
          message.arrows = UInt32(pass.arrowCount)
          message.arrowsPerEnd = UInt32(pass.arrowsPerEnd)
          message.distance = pass.distance
          message.unit = QuiverAPI.DistanceUnit(rawValue: pass.unit.rawValue)
          message.face = QuiverAPI.Face(rawValue: pass.face.rawValue)
          message.diameterCentimetres = pass.diameterCentimetres
        }
      }
    }
  }
}

/// UUIDv7 (RFC 9562) that follow from what they stand for, so that an import that is repeated has
/// the same ones: the time of the training, then a hash of its name and of the object's.
struct DerivedIDs: Sendable {
  private let key: String
  private let milliseconds: UInt64

  init(_ key: String, milliseconds: Int64) {
    self.key = key
    self.milliseconds = UInt64(max(0, milliseconds))
  }

  func id(_ object: String) -> [UInt8] {
    var bytes = (0..<6).map { UInt8(truncatingIfNeeded: milliseconds >> UInt64(40 - 8 * $0)) }
    for half in ["a", "b"] {
      // FNV-1a; collisions between the few objects of one account need not be feared.
      var hash: UInt64 = 0xCBF2_9CE4_8422_2325
      for byte in "\(half) \(key) \(object)".utf8 {
        hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
      }
      bytes += (0..<8).map { UInt8(truncatingIfNeeded: hash >> UInt64(8 * $0)) }
    }
    bytes = Array(bytes.prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x70
    bytes[8] = bytes[8] & 0x3F | 0x80
    return bytes
  }
}
