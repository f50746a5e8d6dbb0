import Testing

@testable import QuiverRules

@Suite("Lines of a strength log", .timeLimit(.minutes(5)))
struct LiftLineReaderTests {
  static func read(
    _ bytes: [UInt8], unit: WeightUnit = .pound, chunkByteCount: Int = 1 << 20
  ) -> (sets: [LiftSet], reader: LiftLineReader) {
    var reader = LiftLineReader(unit: unit)
    var sets: [LiftSet] = []
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + chunkByteCount)
      reader.read(Array(bytes[start..<end]), into: &sets)
      start = end
    }
    reader.finish(into: &sets)
    return (sets, reader)
  }

  static func set(
    _ day: Int32, _ name: String, sets: Int32 = 0, reps: Int32, weight: Double,
    unit: WeightUnit = .pound
  ) throws -> LiftSet {
    LiftSet(
      day: day, exercise: try #require(ExerciseName(name)), sets: sets, repetitions: reps,
      weight: weight, unit: unit)
  }

  static let log = """
    \u{FEFF}Date,Exercise,Sets,Reps,Weight\r
    Oct 11 2020,Back Squat,1,10,45\r
    \r
    oct 5 2020,"Press, strict",6,245\r
    OCT 05 2020,"The ""big"" one",2,3,102.5\r
    Feb 29 2020,Übung,36,0
    """

  @Test("A name of an exercise has 1 to 200 characters after trimming")
  func exerciseNames() {
    let longest = String(repeating: "é", count: TextLimits.nameLength)
    #expect(ExerciseName(" \(longest) ")?.text == longest)
    #expect(ExerciseName(longest + "e") == nil && ExerciseName(" ") == nil)
    #expect(ExerciseName("x")?.text == "x")
  }

  @Test(
    "Both variants, quotes, any case, a mark, column names and blank lines are read",
    arguments: [1, 2, 3, 7, 1 << 20])
  func reads(_ chunkByteCount: Int) throws {
    let (sets, reader) = Self.read(Array(Self.log.utf8), chunkByteCount: chunkByteCount)
    #expect(
      sets == [
        try Self.set(18_546, "Back Squat", sets: 1, reps: 10, weight: 45),
        try Self.set(18_540, "Press, strict", reps: 6, weight: 245),
        try Self.set(18_540, "The \"big\" one", sets: 2, reps: 3, weight: 102.5),
        try Self.set(18_321, "Übung", reps: 36, weight: 0),
      ])
    #expect(reader.lineCount == 6 && reader.badLines.count == 0)
    #expect(reader.byteCount == Int64(Self.log.utf8.count))
  }

  static let badLines: [(String, BadLine.Reason)] = [
    ("Oct 11 2020,Squat,10", .fieldCount(3)), ("Oct 11 2020,Squat,1,10,45,x", .fieldCount(6)),
    ("2020-10-11,Squat,10,45", .date), ("Feb 30 2020,Squat,10,45", .date),
    ("Feb 29 2021,Squat,10,45", .date), ("Okt 11 2020,Squat,10,45", .date),
    ("Oct 11 20,Squat,10,45", .date), ("Oct 111 2020,Squat,10,45", .date),
    ("Oct 11 2020 x,Squat,10,45", .date), ("Oct11 2020,Squat,10,45", .date),
    ("Oct 11 0000,Squat,10,45", .date), ("Oct 0 2020,Squat,10,45", .date),
    ("Oct 11 2020, ,10,45", .name),
    ("Oct 11 2020,\(String(repeating: "x", count: 201)),10,45", .name),
    ("Oct 11 2020,Squat,0,10,45", .sets), ("Oct 11 2020,Squat,101,10,45", .sets),
    ("Oct 11 2020,Squat,,10,45", .sets), ("Oct 11 2020,Squat,0,45", .repetitions),
    ("Oct 11 2020,Squat,1001,45", .repetitions), ("Oct 11 2020,Squat,-1,45", .repetitions),
    ("Oct 11 2020,Squat,1.5,45", .repetitions), ("Oct 11 2020,Squat,99999999999,45", .repetitions),
    ("Oct 11 2020,Squat,10,2000.5", .weight), ("Oct 11 2020,Squat,10,-1", .weight),
    ("Oct 11 2020,Squat,10,", .weight), ("Oct 11 2020,Squat,10,1e2", .weight),
    ("Oct 11 2020,Squat,10,nan", .weight), ("Oct 11 2020,Squat,10,1.2.3", .weight),
    ("Oct 11 2020,Squat,10,\(String(repeating: "9", count: 50))", .weight),
    ("Oct 11 2020,\"Squat,10,45", .quote), ("Oct 11 2020,\"Squat\"s,10,45", .quote),
    ("Oct 11 2020,Sq\u{0}uat,10,45", .notText),
    ("Oct 11 2020," + String(repeating: "x", count: 4_090), .tooLong(4_096)),
    (String(repeating: "x", count: 1 << 20), .tooLong(4_096)),
  ]

  @Test("A bad line is told by its number and its reason, and the next is read")
  func bad() throws {
    for (line, reason) in Self.badLines {
      for chunkByteCount in [1_000, 1 << 21] {
        let text = "Oct 11 2020,Squat,10,45\n\n\(line)\nOct 12 2020,Squat,10,45"
        let (sets, reader) = Self.read(Array(text.utf8), chunkByteCount: chunkByteCount)
        #expect(
          reader.badLines.shown == [BadLine(number: 3, reason: reason)], "\(line.prefix(60))")
        #expect(sets.map(\.day) == [18_546, 18_547] && reader.lineCount == 4)
      }
    }
  }

  @Test("A line of 4,096 bytes is read, however its ends come")
  func longest() {
    let padding = String(repeating: " ", count: 4_096 - "Oct 11 2020,Squat,10,45".utf8.count)
    for end in ["", "\n", "\r\n"] {
      for chunkByteCount in [1, 4_096, 4_097] {
        let text = "Oct 11 2020,Squat\(padding),10,45\(end)"
        let (sets, reader) = Self.read(Array(text.utf8), chunkByteCount: chunkByteCount)
        #expect(sets.count == 1 && reader.badLines.count == 0)
      }
    }
    let longer = "Oct 11 2020,Squat\(padding) ,10,45"
    #expect(Self.read(Array(longer.utf8)).reader.badLines.count == 1)
  }

  @Test("Bytes that are no UTF-8 are no text, in a name or elsewhere")
  func notText() {
    for name in [[0xC3, 0x28], [0xFF], [0xED, 0xA0, 0x80]] as [[UInt8]] {
      let line = Array("Oct 11 2020,".utf8) + name + Array(",10,45".utf8)
      #expect(Self.read(line).reader.badLines.shown.map(\.reason) == [.notText])
      let field = Array("Oct 11 2020,Squat,".utf8) + name + Array(",45".utf8)
      #expect(Self.read(field).reader.badLines.shown.map(\.reason) == [.notText])
    }
  }

  @Test("Only the first line may be column names")
  func header() {
    let header = "Date,Exercise,Reps,Weight\n"
    let twice = Self.read(Array((header + header).utf8)).reader
    #expect(twice.badLines.shown == [BadLine(number: 2, reason: .date)])
    #expect(Self.read(Array("no names at all".utf8)).reader.badLines.count == 1)
  }

  @Test("Names that differ in a byte are two, also where Unicode finds them equal")
  func names() throws {
    let text = "Oct 11 2020,Caf\u{E9},10,45\nOct 11 2020,Cafe\u{301},10,45"
    let sets = Self.read(Array(text.utf8)).sets
    #expect(sets.count == 2 && sets[0].exercise != sets[1].exercise)
    #expect(sets[0].exercise.text == sets[1].exercise.text)
    #expect(Set(sets.map(\.exercise)).count == 2)
  }

  @Test("Sets that are written are read back", arguments: [WeightUnit.pound, .kilogram])
  func roundTrip(_ unit: WeightUnit) throws {
    var generator = SplitMix64(seed: 5)
    let names = ["Squat", "Press, strict", "a \"b\"", "Übung", "x,\"y\",z"]
    let sets = try (0..<2_000).map { index in
      try Self.set(
        Int32(generator.index(below: 40_000) - 10_000), names[generator.index(below: names.count)],
        sets: Int32(generator.index(below: 101)), reps: Int32(1 + generator.index(below: 1_000)),
        weight: index % 2 == 0
          ? Double(generator.index(below: 900_000)) / 1_000
          : Double(generator.next() >> 11) / 9_007_199_254_740_992 * 900, unit: unit)
    }
    let text = sets.map { $0.line(in: unit) }.joined()
    let read = Self.read(Array(text.utf8), unit: unit)
    #expect(read.reader.badLines.count == 0 && read.sets == sets)
  }

  @Test("Decimals are written without an exponent and read as they were")
  func decimals() {
    for (number, text) in [
      (0.00001, "0.00001"), (1.5e-7, "0.00000015"), (1e20, "100000000000000000000"), (245, "245"),
      (102.5, "102.5"), (0, "0"),
    ] as [(Double, String)] {
      #expect(PlainDecimal.text(number) == text && PlainDecimal.value(text) == number)
    }
  }
}
