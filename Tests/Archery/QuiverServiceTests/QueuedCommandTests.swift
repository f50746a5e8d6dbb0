import Dispatch
import Foundation
import QuiverAPI
import QuiverClient
import QuiverDispatch
import QuiverRPC
import QuiverStore
import QuiverWire
import Synchronization
import Testing

@Suite("Calls with queued commands", .timeLimit(.minutes(5)))
struct QueuedCommandTests {
  @Test("A full queue refuses at once with RESOURCE_EXHAUSTED and not processed, and recovers")
  func fullQueue() async throws {
    try await TestServer.run(opening: .init(queuedCommands: 4)) { server in
      let robin = try server.client(named: "Robin")
      _ = try await robin.call(Diagnostics.echo, EchoMessage())
      let gate = server.store.closeGate()
      let waiting = (0..<4).map { _ in
        Task { try await robin.call(Equipment.risers.create, .of(.hoyt)) }
      }
      while server.store.queuedCommandCount < 4 { await Task.yield() }
      for _ in 0..<3 {
        let refusal = await robin.refusal(Equipment.risers.create, .of(.hoyt))
        #expect(refusal?.code == .resourceExhausted && refusal?.isNotProcessed == true)
        #expect(refusal?.origin == .server)
      }
      // Reads do not wait for the writer.
      let during = try await robin.call(Equipment.listItems, ListItemsRequest())
      #expect(during.items.isEmpty)
      gate.opened.signal()
      var ids: Set<Int64> = []
      for call in waiting { ids.insert(try await call.value.id) }
      #expect(ids.count == 4)
      ids.insert(try await robin.call(Equipment.risers.create, .of(.hoyt)).id)
      let list = try await robin.call(Equipment.listItems, ListItemsRequest())
      #expect(Set(list.items.map(\.id)) == ids && ids.count == 5)
    }
  }

  @Test("A command of another caller is applied between the parts of a call with many entries")
  func parts() async throws {
    try await TestServer.run { server in
      let tournament = try await TestTournament(server) { $0.maxParticipants = 100 }
      let robin = try server.client(named: "Robin")
      _ = try await robin.call(Diagnostics.echo, EchoMessage())
      let before = try server.lastSequence()
      let gate = server.store.closeGate()
      let names = (0..<60).map { "Entry \($0)" }
      let entries = Task { try await tournament.entries(names) }
      while server.store.queuedCommandCount < 1 { await Task.yield() }
      let riser = Task { try await robin.call(Equipment.risers.create, .of(.hoyt)) }
      while server.store.queuedCommandCount < 2 { await Task.yield() }
      gate.opened.signal()
      #expect(try await entries.value.map(\.displayName) == names)
      _ = try await riser.value
      let kinds = try server.store.read { (snapshot) throws(StoreError) in
        try snapshot.journal(after: before, limit: 1_000).map(\.kind)
      }
      let place = try #require(kinds.firstIndex(of: .equipment))
      #expect(kinds.count - place > 35, "\(place) of \(kinds.count) changes went before")
    }
  }

  @Test("A call with many entries adds them once under its key, and none that do not fit")
  func keyedParts() async throws {
    try await TestServer.run { server in
      let tournament = try await TestTournament(server) { $0.maxParticipants = 70 }
      var request = AddEntriesRequest.with { $0.tournamentID = tournament.event.id }
      request.entries = (0..<60).map { number in .with { $0.name = "Entry \(number)" } }
      let key = IdempotencyKey.random()
      let organiser = tournament.organiser
      let added = try await organiser.call(Tournament.addEntries, request, key: key)
      let again = try await organiser.call(Tournament.addEntries, request, key: key)
      #expect(added.participants.count == 60 && again == added)
      let refusal = await organiser.refusal(Tournament.addEntries, request)
      #expect(refusal?.code == .failedPrecondition && refusal?.message.contains("full") == true)
      let event = try await organiser.call(
        Tournament.getTournament, .with { $0.id = tournament.event.id })
      #expect(event.participantCount == 60)
    }
  }

  @Test("A command whose deadline passes in the queue has no effect")
  func deadline() async throws {
    try await TestServer.run { server in
      let robin = try server.client(named: "Robin")
      _ = try await robin.call(Diagnostics.echo, EchoMessage())
      let gate = server.store.closeGate()
      let before = try server.lastSequence()
      let error = await #expect(throws: RPCError.self) {
        try await robin.client.call(
          Equipment.risers.create, .of(.hoyt), options: CallOptions(timeout: .milliseconds(50)))
      }
      #expect(error?.code == .deadlineExceeded)
      #expect(server.store.queuedCommandCount == 1)
      // Frames of a connection are taken in order: the CANCEL was, once this is answered.
      _ = try await robin.call(Diagnostics.echo, EchoMessage())
      gate.opened.signal()
      _ = try await robin.call(Equipment.risers.create, .of(.hoyt))
      let list = try await robin.call(Equipment.listItems, ListItemsRequest())
      #expect(list.items.count == 1)
      #expect(try server.lastSequence() == before + 1)
    }
  }

  @Test("A command whose call is cancelled in the queue has no effect")
  func cancellation() async throws {
    try await TestServer.run { server in
      let robin = try server.client(named: "Robin")
      _ = try await robin.call(Diagnostics.echo, EchoMessage())
      let gate = server.store.closeGate()
      let key = IdempotencyKey.random()
      let call = Task { try await robin.call(Equipment.risers.create, .of(.hoyt), key: key) }
      while server.store.queuedCommandCount < 1 { await Task.yield() }
      call.cancel()
      let error = await #expect(throws: RPCError.self) { try await call.value }
      #expect(error?.code == .cancelled)
      _ = try await robin.call(Diagnostics.echo, EchoMessage())
      gate.opened.signal()
      // Its key was not used up either.
      let made = try await robin.call(Equipment.risers.create, .of(.hoyt), key: key)
      let list = try await robin.call(Equipment.listItems, ListItemsRequest())
      #expect(list.items.map(\.id) == [made.id])
    }
  }

  @Test("A command whose client disconnects while it is queued has no effect")
  func lostClient() async throws {
    try await TestServer.run { server in
      let robin = try server.client(named: "Robin")
      let identity = try await robin.call(Account.whoAmI, WhoAmIRequest())
      let gate = server.store.closeGate()
      let call = Task { try await robin.call(Equipment.risers.create, .of(.hoyt)) }
      while server.store.queuedCommandCount < 1 { await Task.yield() }
      server.server.revalidate(EndedPermissions(tokenIDs: [identity.tokenID]))
      let error = await #expect(throws: RPCError.self) { try await call.value }
      #expect(error?.code == .unauthenticated)
      while server.server.connectionCount > 0 { await Task.yield() }
      gate.opened.signal()
      let little = try server.client(named: "Little John")
      _ = try await little.call(Equipment.risers.create, .of(.hoyt))
      let principal = try #require(identity.principal).id
      let counts = try server.store.read { (snapshot) throws(StoreError) in
        try snapshot.equipmentCounts(principal: principal)
      }
      #expect(counts.allSatisfy { $0.active == 0 })
    }
  }

  @Test("A read that exceeds its time limit fails with DEADLINE_EXCEEDED, and other reads continue")
  func longRead() async throws {
    try await TestServer.run(opening: .init(readMilliseconds: 0)) { server in
      let robin = try server.client(named: "Robin")
      var made = Riser()
      for _ in 0..<300 { made = try await robin.call(Equipment.risers.create, .of(.hoyt)) }
      var request = ListItemsRequest()
      request.pageSize = 500
      let refusal = await robin.refusal(Equipment.listItems, request)
      #expect(refusal?.code == .deadlineExceeded && refusal?.origin == .server)
      #expect(refusal?.message.contains("ask for less") == true)
      request.pageSize = 5
      #expect(try await robin.call(Equipment.listItems, request).items.count == 5)
      var one = GetItemRequest<Riser>()
      one.id = made.id
      #expect(try await robin.call(Equipment.risers.get, one) == made)
    }
  }

  @Test("A cancelled backup leaves no file, and the next one succeeds")
  func backup() async throws {
    try await TestServer.run { server in
      let sheriff = try server.client(.administrator, named: "Sheriff")
      _ = try await sheriff.call(Diagnostics.echo, EchoMessage())
      let gate = server.store.closeGate()
      var request = BackupRequest()
      request.file = server.store.directory.path + "/backup.db"
      let wanted = request
      let call = Task { try await sheriff.call(Admin.backup, wanted) }
      let unfinished = request.file + ".unfinished"
      while !FileManager.default.fileExists(atPath: unfinished) { await Task.yield() }
      call.cancel()
      let error = await #expect(throws: RPCError.self) { try await call.value }
      #expect(error?.code == .cancelled)
      _ = try await sheriff.call(Diagnostics.echo, EchoMessage())
      gate.opened.signal()
      request.file += "2"
      #expect(try await sheriff.call(Admin.backup, request).byteCount > 0)
      let files = try FileManager.default.contentsOfDirectory(
        atPath: server.store.directory.path)
      #expect(Set(files.filter { $0.hasPrefix("backup") }) == ["backup.db2", "backup.db2.sha256"])
    }
  }
}

/// Blocks the writer until it is released, so that commands wait in the queue.
struct Gate: QuiverStore.Command {
  let begun = DispatchSemaphore(value: 0)
  let opened = DispatchSemaphore(value: 0)

  func apply(in transaction: borrowing Transaction) throws(StoreError) {
    begun.signal()
    opened.wait()
  }
}

final class Nowhere: CompletionTarget {
  func deliver(_ completions: [@Sendable () -> Void]) {}
}

extension Store {
  /// Submits a gate and returns when the writer stands in it.
  func closeGate() -> Gate {
    let gate = Gate()
    submit(
      gate, CommandOptions(caller: CommandCaller(principal: 0)), target: Nowhere()
    ) { _ in
      []
    } completion: { _ in
    }
    gate.begun.wait()
    return gate
  }
}
