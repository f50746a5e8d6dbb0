import QuiverClient
import QuiverDispatch
import QuiverRPC
import QuiverWire
import Synchronization
import TestTransports
import Testing

@Suite("Deadlines and cancellation", .timeLimit(.minutes(5)), .eachReadiness)
struct EndingTests {
  @Test("the deadline ends a call whose handler never replies, and cancels the handler")
  func deadline() async throws {
    let fixture = try Fixture()
    let client = try fixture.client()
    let error = await failure { () throws(RPCError) in
      _ = try await client.call(
        Notes.hold, Note(), options: CallOptions(timeout: .milliseconds(50)))
    }
    #expect(error.code == .deadlineExceeded && !error.isNotProcessed)
    for await _ in await fixture.held.next().cancelled {}
    #expect(try await client.call(Notes.echo, Note("on")).text == "on")
  }

  @Test("calls without a timeout have the client's default timeout")
  func defaultTimeout() async throws {
    let client = try Fixture().client { $0.defaultTimeout = .milliseconds(50) }
    let error = await failure { () throws(RPCError) in
      _ = try await client.call(Notes.hold, Note())
    }
    #expect(error.code == .deadlineExceeded)
  }

  @Test("a deadline that has passed sends nothing", arguments: [Duration.zero, .seconds(-1)])
  func expired(_ timeout: Duration) async throws {
    let fixture = try Fixture()
    let client = try fixture.client()
    let error = await failure { () throws(RPCError) in
      _ = try await client.call(Notes.hold, Note(), options: CallOptions(timeout: timeout))
    }
    #expect(error.code == .deadlineExceeded && error.isNotProcessed)
    #expect(try await client.call(Notes.echo, Note("on")).text == "on")
    #expect(fixture.held.count == 0)
  }

  @Test("the deadline ends a call to a server that accepts and sends nothing")
  func silence() async throws {
    let silent = try SilentListener()
    let client = try RPCClient(.init(server: silent.address))
    let error = await failure { () throws(RPCError) in
      _ = try await client.call(
        Notes.echo, Note(), options: CallOptions(timeout: .milliseconds(50)))
    }
    #expect(error.code == .deadlineExceeded && error.origin == .client)
  }

  @Test("cancelling the task cancels the call at the client and at the handler")
  func cancelled() async throws {
    let fixture = try Fixture()
    let client = try fixture.client()
    let task = Task {
      await failure { () throws(RPCError) in
        _ = try await client.call(Notes.hold, Note())
      }
    }
    let held = await fixture.held.next()
    task.cancel()
    let error = await task.value
    #expect(error.code == .cancelled && error.origin == .client && !error.isNotProcessed)
    for await _ in held.cancelled {}
    #expect(try await client.call(Notes.echo, Note("on")).text == "on")
  }

  @Test("A task that is already cancelled sends nothing")
  func cancelledBefore() async throws {
    let fixture = try Fixture()
    let client = try fixture.client()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await failure { () throws(RPCError) in
        _ = try await client.call(Notes.hold, Note())
      }
    }
    let error = await task.value
    #expect(error.code == .cancelled && error.isNotProcessed)
    #expect(try await client.call(Notes.echo, Note("on")).text == "on")
    #expect(fixture.held.count == 0)
  }

  @Test("a cancelled call that waits for a stream is not sent")
  func cancelledWaiting() async throws {
    let fixture = try Fixture()
    let client = try fixture.client { $0.limits.maxConnections = 1 }
    let full = await fixture.fill(client)
    let waiting = Task {
      await failure { () throws(RPCError) in
        _ = try await client.call(Notes.hold, Note("waiting"))
      }
    }
    waiting.cancel()
    let error = await waiting.value
    #expect(error.code == .cancelled && error.isNotProcessed)
    try await full.release()
    #expect(try await client.call(Notes.echo, Note("on")).text == "on")
    #expect(fixture.held.count == 100)
  }

  @Test("When cancellation races with the reply, every call ends once")
  func races() async throws {
    let client = try Fixture().client()
    var counts = [0, 0]
    for round in 0..<400 {
      let task = Task { () -> StatusCode in
        do throws(RPCError) {
          _ = try await client.call(Notes.echo, Note())
          return .ok
        } catch {
          return error.code
        }
      }
      for _ in 0..<(round % 40) { await Task.yield() }
      task.cancel()
      switch await task.value {
      case .ok: counts[0] += 1
      case .cancelled: counts[1] += 1
      case let other: Issue.record("the call ended \(other)")
      }
    }
    #expect(counts[0] + counts[1] == 400)
    #expect(try await client.call(Notes.echo, Note("on")).text == "on")
  }

  @Test("When the deadline races with the reply, every call ends once")
  func deadlineRaces() async throws {
    let client = try Fixture().client()
    await withTaskGroup(of: StatusCode.self) { group in
      for round in 0..<400 {
        let options = CallOptions(timeout: .microseconds(round * 10))
        group.addTask {
          do throws(RPCError) {
            _ = try await client.call(Notes.echo, Note(), options: options)
            return .ok
          } catch {
            return error.code
          }
        }
      }
      for await code in group { #expect(code == .ok || code == .deadlineExceeded) }
    }
    #expect(try await client.call(Notes.echo, Note("on")).text == "on")
  }

  @Test("a call that waits for the server's HELLO can be cancelled")
  func cancelledConnecting() async throws {
    let silent = try SilentListener()
    // A long timeout, so that no handshake times out before it is cancelled on a busy machine.
    var limits = Limits()
    limits.handshakeTimeoutMilliseconds = 600_000
    let client = RPCClient(
      .init(server: silent.address, token: nil), transport: try DispatchTransport(limits: limits),
      endpoint: try #require(Endpoint(silent.address)))
    for round in 0..<20 {
      let task = Task {
        await failure { () throws(RPCError) in _ = try await client.call(Notes.echo, Note()) }
      }
      for _ in 0..<round { await Task.yield() }
      task.cancel()
      let error = await task.value
      #expect(error.code == .cancelled && error.origin == .client)
    }
  }
}
