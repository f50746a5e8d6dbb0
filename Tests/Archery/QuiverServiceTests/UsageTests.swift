import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverService
import QuiverStore
import QuiverWire
import Testing

@Suite("Usage and quotas over the protocol", .timeLimit(.minutes(5)))
struct UsageTests {
  @Test("A caller sees what it stores, and is refused with the quota's name at its limit")
  func refused() async throws {
    var quotas = StoreQuotas()
    quotas.storedRows = 12
    try await TestServer.run(opening: .init(quotas: quotas)) { server in
      let client = try server.client()
      let empty = try await client.call(Account.getUsage, GetUsageRequest())
      #expect(empty.storedRowsLimit == 12 && empty.storedBytesLimit == 256 << 20)
      var refusal: RPCError?
      var count = 0
      while refusal == nil, count < 100 {
        refusal = await client.refusal(Equipment.risers.create, .of(.hoyt))
        if refusal == nil { count += 1 }
      }
      let full = try await client.call(Account.getUsage, GetUsageRequest())
      #expect(full.storedRows == 12 && Int64(count) == 12 - empty.storedRows)
      #expect(full.storedBytes > empty.storedBytes && full.idempotencyKeys == Int64(count))
      #expect(refusal?.code == .resourceExhausted && refusal?.isNotProcessed == true)
      #expect(refusal?.retryAfterMilliseconds == nil)
      #expect(refusal?.message.hasPrefix("stored-rows: the limit is 12 and 12 rows") == true)
      let other = try server.client(named: "Marian")
      _ = try await other.call(Equipment.risers.create, .of(.hoyt))
    }
  }

  @Test("An import that is faster than the rate of its principal waits and is stored whole")
  func importWaits() async throws {
    var quotas = StoreQuotas()
    quotas.storedBytesPerMinute = 636_000
    let clock = HeldClock()
    try await TestServer.run(opening: .init(clock: clock.clock, quotas: quotas)) { server in
      let client = try server.client()
      let lines = (0..<12_000).map { "Jan 01 2025,Squat \($0 % 7),\($0 % 20 + 1),100\n" }.joined()
      let call = try client.client.open(Logbook.importSets)
      var request = ImportSetsRequest()
      request.options = ImportOptions()
      request.chunk = Array(lines.utf8)
      try await call.send(request)
      call.finish()
      // Time stands still until the import was refused, and then passes.
      let time = Task {
        while !Task.isCancelled {
          if server.store.statistics.refusedCommands > 0 { clock.advance(milliseconds: 100) }
          try await Task.sleep(for: .milliseconds(10))
        }
      }
      var result: ImportResult?
      for try await progress in call.replies { result = progress.result ?? result }
      time.cancel()
      #expect(server.store.statistics.refusedCommands > 0)
      #expect(result?.kept == true && result?.setCount == 12_000)
      #expect(try server.store.verify() == [])
    }
  }
}
