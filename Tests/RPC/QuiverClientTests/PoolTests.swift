import QuiverDispatch
import QuiverRPC
import QuiverWire
import Synchronization
import TestTransports
import Testing

@testable import QuiverClient

@Suite("A pool of connections over sockets", .timeLimit(.minutes(5)), .eachReadiness)
struct PoolTests {
  @Test("Many calls over a full pool, some of them cancelled, end once each and free their streams")
  func storm() async throws {
    let fixture = try Fixture()
    let client = try fixture.client {
      $0.limits.maxConnections = 2
      $0.defaultTimeout = .seconds(600)
    }
    let ends = await withTaskGroup(of: StatusCode.self) { group in
      for number in 0..<3_000 {
        let task = Task { () -> StatusCode in
          do throws(RPCError) {
            _ = try await client.call(Notes.echo, Note(number: UInt32(number)))
            return .ok
          } catch {
            return error.code
          }
        }
        group.addTask {
          if number % 7 == 0 {
            for _ in 0..<(number % 50) { await Task.yield() }
            task.cancel()
          }
          return await task.value
        }
      }
      return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }
    #expect((ends[.ok] ?? 0) + (ends[.cancelled] ?? 0) == 3_000, "\(ends)")
    #expect((ends[.ok] ?? 0) >= 2_571)
    #expect(try await client.call(Notes.echo, Note("on")).text == "on")
    #expect(fixture.server.connectionCount <= 2)
    let (held, loads) = client.channel.state.withLock { state in
      (state.waitingCount, state.connections.map(\.end.callCount))
    }
    #expect(held == 0 && loads.allSatisfy { $0 == 0 }, "\(held) wait, \(loads) have room")
  }

  @Test("While servers restart under load each call ends, and calls with a key have their effect")
  func comesAndGoes() async throws {
    let (one, two) = (try Fixture("one "), try Fixture("two "))
    let redirecting = try RedirectingTransport(one.endpoint)
    let client = redirecting.client {
      $0.limits.maxConnections = 3
      $0.limits.retry.first = .milliseconds(1)
      $0.waitsForReady = true
    }
    let calls = (0..<40).map { number in
      Task { () throws -> Set<[UInt8]> in
        let method = number % 2 == 0 ? Notes.key : Notes.echo
        var keys: Set<[UInt8]> = []
        var name = ""
        while name != "two " {
          let reply = try await client.call(method, Note())
          name = reply.text
          if number % 2 == 0 {
            let isNew = keys.insert(reply.payload).inserted
            #expect(isNew && reply.payload.count == 16, "a call of its own key each")
          }
        }
        return keys
      }
    }
    for _ in 0..<200 { _ = try await client.call(Notes.echo, Note()) }
    redirecting.target.withLock { $0 = two.endpoint }
    await one.server.drain()
    var keys: Set<[UInt8]> = []
    for call in calls { keys.formUnion(try await call.value) }
    #expect(keys.count >= 20)
    #expect(one.server.connectionCount == 0)
  }
}
