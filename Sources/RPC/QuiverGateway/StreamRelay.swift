import QuiverClient
import QuiverRPC
import QuiverWire

/// The messages of a streaming call between its caller and the server. Used on the exchange's
/// reactor.
struct StreamRelay {
  private let gatewayCall: GatewayCall
  private let call: ClientStream
  private let caller: GatewayCaller
  private let form: ReplyForm

  private var exchange: HTTPExchange { gatewayCall.exchange }

  init(
    _ gatewayCall: GatewayCall, _ call: ClientStream, _ caller: GatewayCaller, _ form: ReplyForm
  ) {
    self.gatewayCall = gatewayCall
    self.call = call
    self.caller = caller
    self.form = form
  }

  /// Sends the requests as they come, and writes the replies.
  ///
  /// - Parameter reader: of a stream of requests; nil: the request was sent.
  func run(_ reader: RequestReader?, _ writer: any ReplyWriter) async throws {
    let pump = reader.map { self.pump($0) }
    defer { pump?.cancel() }
    do {
      let initial = try await caller.proving { () throws(RPCError) in try await call.started() }
      writer.begin(initial)
      while true {
        // The next message is taken when there is room for it; until then its credit is not
        // returned, and the server's handler waits.
        try await exchange.waitForRoom()
        guard let reply = try await call.next() else { break }
        writer.send(try await gatewayCall.body(of: reply, form, caller))
      }
      exchange.ended(.ok)
      writer.end(nil, call.trailingMetadata)
    } catch let error as HTTPAborted {
      call.cancel(Self.cancelled)
      throw error
    } catch let error as RPCError {
      call.cancel(error)
      throw error
    }
  }

  private static let cancelled = RPCError(
    .cancelled, "the caller of the gateway has disconnected", origin: .client)

  private func pump(_ reader: RequestReader) -> Task<Void, Never> {
    let source = RequestSource(reader)
    let call = call
    return exchange.run {
      do {
        while let message = try await source.next() {
          // Where the server has ended the call, reading its replies finds out.
          do { try await call.send(message) } catch { return }
        }
        call.finishRequest()
      } catch let error as RPCError {
        call.cancel(error)
      } catch {
        call.cancel(Self.cancelled)
      }
    }
  }
}

/// The messages of a stream of requests, for one task. Used on the exchange's reactor.
// Sendable because one task on one reactor uses it.
private final class RequestSource: @unchecked Sendable {
  private var reader: RequestReader

  init(_ reader: RequestReader) { self.reader = reader }

  func next() async throws -> [UInt8]? { try await reader.next() }
}
