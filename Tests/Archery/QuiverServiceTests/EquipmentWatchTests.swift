import QuiverAPI
import QuiverClient
import QuiverService
import QuiverStore
import QuiverWire
import Testing

@testable import QuiverDispatch
@testable import QuiverRPC

@Suite("Watches of equipment", .timeLimit(.minutes(5)))
struct EquipmentWatchTests {
  @Test("A watch of the hub sends the hub at once and after each change, with adjacent spans")
  func hub() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      var replies = try client.client.stream(Equipment.watchHub, WatchHubRequest())
        .makeAsyncIterator()
      let first = try #require(try await replies.next())
      #expect(first.hub?.total == 0)
      var span = try #require(first.span)
      #expect(span.isSnapshot && span.after == 0 && span.upto > 0)
      #expect(span.storeEpoch == server.store.epoch)
      for total in 1...5 as ClosedRange<UInt32> {
        _ = try await client.call(Equipment.risers.create, riser("\(total)"))
        let message = try #require(try await replies.next())
        #expect(message.hub?.total == total)
        let next = try #require(message.span)
        #expect(!next.isSnapshot && next.after == span.upto && next.upto > span.upto)
        span = next
      }
    }
  }

  @Test("A watch sends a list in parts of 500, and then new, changed and deleted items")
  func items() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      for number in 0..<501 {
        _ = try await client.call(Equipment.risers.create, riser("\(number)"))
      }
      var replies = try client.client.stream(Equipment.watchItems, WatchItemsRequest())
        .makeAsyncIterator()
      let first = try #require(try await replies.next())
      #expect(first.changed.count == 500 && first.span?.isIncomplete == true)
      let second = try #require(try await replies.next())
      #expect(second.changed.count == 1 && second.span?.isIncomplete == false)
      #expect(Set((first.changed + second.changed).map(\.id)).count == 501)

      var made = try await client.call(Equipment.risers.create, riser("new"))
      #expect(try await replies.next()?.changed.map(\.id) == [made.id])
      made = try await client.call(Equipment.risers.archive, archive(made))
      let gone = try await replies.next()
      #expect(gone?.removedIDs == [made.id] && gone?.changed.isEmpty == true)
    }
  }

  @Test("A watch of one type has no changes of other types or principals")
  func filtered() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      let other = try server.client(named: "Kim")
      var request = WatchItemsRequest()
      request.type = .limbs
      var replies = try client.client.stream(Equipment.watchItems, request).makeAsyncIterator()
      #expect(try await replies.next()?.changed.isEmpty == true)
      _ = try await client.call(Equipment.risers.create, riser("not shown"))
      _ = try await other.call(Equipment.limbs.create, limbs("not mine"))
      let made = try await client.call(Equipment.limbs.create, limbs("shown"))
      #expect(try await replies.next()?.changed.map(\.id) == [made.id])
    }
  }

  @Test("A watch of setups has new, renamed and deactivated setups")
  func setups() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      var replies = try client.client.stream(
        Equipment.watchBowSetups, WatchBowSetupsRequest()
      ).makeAsyncIterator()
      #expect(try await replies.next()?.changed.isEmpty == true)
      var create = CreateBowSetupRequest()
      create.bowSetup = BowSetup()
      create.bowSetup?.name = "Indoor"
      let setup = try await client.call(Equipment.createBowSetup, create)
      #expect(try await replies.next()?.changed.map(\.name) == ["Indoor"])
      var deactivate = DeactivateBowSetupRequest()
      deactivate.id = setup.id
      deactivate.revision = setup.revision
      _ = try await client.call(Equipment.deactivateBowSetup, deactivate)
      #expect(try await replies.next()?.removedIDs == [setup.id])
    }
  }

  @Test("R06: a watch that is interrupted a hundred times has no gap and no repetition")
  func resume() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      var position: WatchPosition?
      var seen: [Int64] = []
      var made: [Int64] = []
      for round in 0..<100 {
        for number in 0..<3 where (round + number) % 4 != 0 {
          made.append(try await client.call(Equipment.risers.create, riser("\(round)")).id)
        }
        var options = CallOptions()
        options.after = position
        var replies = try client.client.stream(
          Equipment.watchItems, WatchItemsRequest(), options: options
        ).makeAsyncIterator()
        while seen.count < made.count {
          let message = try #require(try await replies.next())
          let span = try #require(message.span)
          if let position { #expect(span.after >= position.sequence && !span.isSnapshot) }
          seen += message.changed.map(\.id)
          position = WatchPosition(sequence: span.upto, storeEpoch: span.storeEpoch)
        }
      }
      #expect(seen.sorted() == made)
    }
  }

  @Test("A position of another store, or ahead of this one, fails with OUT_OF_RANGE")
  func foreignPosition() async throws {
    try await TestServer.run { server in
      let client = try server.client().client
      let epoch = server.store.epoch
      let positions = [
        WatchPosition(sequence: 1, storeEpoch: epoch &+ 1),
        WatchPosition(sequence: 1_000_000, storeEpoch: epoch),
      ]
      for position in positions {
        let options = CallOptions(after: position)
        var replies = try client.stream(
          Equipment.watchHub, WatchHubRequest(), options: options
        ).makeAsyncIterator()
        do throws(RPCError) {
          _ = try await replies.next()
          Issue.record("position \(position) was taken")
        } catch {
          #expect(error.code == .outOfRange)
        }
      }
    }
  }

  @Test("A draining server ends its watches with UNAVAILABLE and refuses new ones")
  func drain() async throws {
    try await TestServer.run { server in
      let client = try server.client().client
      var replies = try client.stream(Equipment.watchHub, WatchHubRequest()).makeAsyncIterator()
      _ = try await replies.next()
      server.assembly.state.startDrain()
      for _ in 0..<2 {
        do throws(RPCError) {
          _ = try await replies.next()
          Issue.record("the watch went on")
        } catch {
          #expect(error.code == .unavailable)
        }
        replies = try client.stream(Equipment.watchHub, WatchHubRequest()).makeAsyncIterator()
      }
    }
  }

  @Test("A client's watch resumes at its position after a lost connection")
  func overConnections() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      var watch = client.client.watch(Equipment.watchItems, WatchItemsRequest()).makeAsyncIterator()
      #expect(try await watch.next()?.span?.isSnapshot == true)
      for round in 0..<5 {
        let before = watch.position
        server.server.forEachConnection { end in
          end.fail(ConnectionFault(.internalError, "cut"), now: end.reactor.nowNanoseconds)
        }
        let made = try await server.client(of: 1, .read.union(.write))
          .call(Equipment.risers.create, riser("\(round)"))
        let message = try await watch.next()
        #expect(message?.changed.map(\.id) == [made.id])
        #expect(message?.span?.after == before?.sequence && message?.span?.isSnapshot == false)
      }
    }
  }

  private func riser(_ model: String) -> CreateItemRequest<Riser> {
    var request = CreateItemRequest<Riser>()
    request.item = Riser()
    request.item?.brand = "Hoyt"
    request.item?.model = model
    return request
  }

  private func limbs(_ model: String) -> CreateItemRequest<Limbs> {
    var request = CreateItemRequest<Limbs>()
    request.item = Limbs()
    request.item?.brand = "Uukha"
    request.item?.model = model
    return request
  }

  private func archive(_ riser: Riser) -> ArchiveItemRequest<Riser> {
    var request = ArchiveItemRequest<Riser>()
    request.id = riser.id
    request.revision = riser.revision
    return request
  }
}
