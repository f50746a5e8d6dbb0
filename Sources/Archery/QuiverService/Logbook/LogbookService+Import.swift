import QuiverAPI
import QuiverRPC
import QuiverRules
import QuiverStore

extension LogbookService {
  func importSets(
    _ requests: RequestStream<ImportSetsRequest>, _ call: CallContext,
    _ replies: ReplyWriter<ImportSetsResponse>
  ) async throws {
    let caller = try call.storeCaller()
    var messages = requests.makeAsyncIterator()
    guard var message = try await messages.next() else {
      throw RPCError.invalid("options", "must be given in the first message")
    }
    guard let options = message.options else {
      throw RPCError.invalid("options", "must be given in the first message")
    }
    let run = try LiftImport(options, caller, commands, longReads)
    let work = commands.store.work.begin(.dataImport, of: caller.principal)
    defer { withExtendedLifetime(work) {} }
    do {
      try await run.begin()
      while true {
        if let progress = try await run.take(message.chunk) {
          work.advance(to: progress.readByteCount, of: progress.byteCount)
          try await replies.send(progress)
        }
        guard let next = try await messages.next() else { break }
        guard next.options == nil else {
          throw RPCError.invalid("options", "must be given in the first message only")
        }
        message = next
      }
      try await replies.send(try await run.end())
    } catch {
      await run.abandon()
      if let error = error as? StoreError { throw RPCError(error) }
      throw error
    }
  }
}
