import QuiverCrypto
import QuiverRules
import QuiverStore
import Testing

@Suite(.timeLimit(.minutes(5))) struct SightMarkTests {
  @Test("Marks of a sight are listed nearest first, in both units")
  func order() throws {
    let bench = try SetupBench()
    let sight = try bench.item(.sight)
    for (distance, unit) in [(70, .metre), (20, .yard), (18, .metre), (70, .yard)]
      as [(Double, DistanceUnit)]
    {
      _ = try bench.perform(
        CreateSightMark(
          SightMarkContent(distance: distance, unit: unit, markValue: distance / 10),
          of: .sight(.id(sight))))
    }
    let marks = try bench.marks(.sight(.id(sight)))
    #expect(marks.map(\.content.distance) == [18, 20, 70, 70])
    #expect(marks.map(\.content.unit) == [.metre, .yard, .yard, .metre])
    #expect(marks.allSatisfy { $0.owner == .sight && $0.ownerID == sight })
  }

  @Test("An update changes the fields in its mask, if the revision is current")
  func update() throws {
    let bench = try SetupBench()
    let setup = try bench.setup("Indoor", [])
    let made = try bench.perform(
      CreateSightMark(Self.mark(18), of: .setup(.id(setup.id))))
    let update = try UpdateSightMark(
      SightMarkContent(distance: 0, markValue: 7), of: .id(made.id), revision: 1,
      mask: ["mark_value"])
    let changed = try bench.perform(update)
    #expect(changed.content == SightMarkContent(distance: 18, unit: .metre, markValue: 7))
    #expect(changed.revision == 2)
    let stale = #expect(throws: StoreError.self) { try bench.perform(update) }
    #expect(stale?.code == .aborted && stale?.current == .sightMark(changed))
    #expect(
      bench.code { try bench.perform(DeleteSightMark(.id(made.id), revision: 1)) } == .aborted)
    try bench.perform(DeleteSightMark(.id(made.id), revision: 2))
    #expect(bench.code { try bench.perform(DeleteSightMark(.id(made.id))) } == .notFound)
  }

  @Test("Marks are deleted with their sight or setup")
  func owners() throws {
    let bench = try SetupBench()
    let sight = try bench.item(.sight)
    let other = try bench.item(.sight)
    let setup = try bench.setup("Indoor", [sight])
    for owner in [.sight(.id(sight)), .sight(.id(other)), .setup(.id(setup.id))]
      as [SightMarkOwner]
    {
      _ = try bench.perform(CreateSightMark(Self.mark(18), of: owner))
    }
    try bench.perform(DeleteEquipment(.sight, .id(sight), detaches: true))
    #expect(try bench.rows("sight_mark") == 2)
    try bench.perform(DeleteBowSetup(.id(setup.id)))
    try bench.perform(DeleteEquipment(.sight, .id(other)))
    #expect(try bench.rows("sight_mark") == 0)
    #expect(bench.code { try bench.marks(.sight(.id(sight))) } == .notFound)
  }

  @Test("Only the principal's own sights and setups can have marks")
  func ownership() throws {
    let bench = try SetupBench()
    let riser = try bench.item(.riser)
    let foreign = try bench.item(.sight, 2)
    let foreignSetup = try bench.setup("Theirs", [], 2)
    for (owner, field) in [
      (.sight(.id(riser)), "sight_mark.sight_id"), (.sight(.id(foreign)), "sight_mark.sight_id"),
      (.setup(.id(foreignSetup.id)), "sight_mark.setup_id"),
      (.setup(.clientID([UInt8](repeating: 1, count: 16))), "sight_mark.setup_client_id"),
    ] as [(SightMarkOwner, String)] {
      let error = #expect(throws: StoreError.self) {
        try bench.perform(CreateSightMark(Self.mark(18), of: owner))
      }
      #expect(error?.code == .notFound && error?.field == field)
    }
    let theirs = try bench.perform(CreateSightMark(Self.mark(18), of: .sight(.id(foreign))), 2)
    #expect(bench.code { try bench.perform(DeleteSightMark(.id(theirs.id))) } == .notFound)
  }

  @Test(
    "Creating with a used client_id and the same content returns the same mark, up to the limit"
  )
  func clientIDs() throws {
    let bench = try SetupBench()
    let sight = try bench.item(.sight)
    let clientID = try UUIDv7.make(unixMilliseconds: 1)
    let create = try CreateSightMark(
      Self.mark(18), of: .sight(.id(sight)), clientID: clientID)
    let made = try bench.perform(create)
    #expect(try bench.perform(create) == made)
    for _ in 1..<StoreLimits.sightMarksPerOwner {
      _ = try bench.perform(CreateSightMark(Self.mark(30), of: .sight(.id(sight))))
    }
    #expect(
      bench.code { try bench.perform(CreateSightMark(Self.mark(30), of: .sight(.id(sight)))) }
        == .resourceExhausted)
    #expect(try bench.perform(create) == made)
  }

  private static func mark(_ distance: Double) -> SightMarkContent {
    SightMarkContent(distance: distance, unit: .metre, markValue: 4.25)
  }
}
