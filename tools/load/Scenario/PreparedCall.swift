import GatewayCalls
import QuiverClient
import QuiverJSON
import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// A validated call of a scenario, which is made repeatedly.
struct PreparedCall: Sendable {
  let method: MethodInfo
  let tally: Tally
  let weight: Double
  let repeats: Int
  private let call: Scenario.Call
  /// The encoded request if it is always the same.
  private let fixed: [UInt8]?
  private let options: CallOptions
  /// Stores acknowledged writes; nil if writes of this method are not verified.
  private let writes: WriteBook?

  /// Throws if the body is not valid for the method, or a path does not exist in its reply.
  init(
    _ call: Scenario.Call, _ method: MethodInfo, timeoutSeconds: Double, tally: Tally,
    writes: WriteBook?
  ) throws(Failure) {
    self.call = call
    self.method = method
    self.tally = tally
    self.writes = writes
    weight = call.weight
    repeats = call.repeats
    let seconds = call.timeoutSeconds ?? timeoutSeconds
    options = CallOptions(timeout: .nanoseconds(Int64(seconds * 1e9)))
    do throws(JSONError) {
      let request = try MessageJSON().message(method.schema.input, from: call.body.fixedPart)
      fixed = call.body.isFixed ? request.serializedBytes() : nil
    } catch {
      let place = error.place.isEmpty ? "" : "."
      throw Failure(
        .usage, "\(call.path).body\(place)\(error) (\(method.schema.input.name) of \(method.name))")
    }
    for capture in call.captures {
      guard let fault = capture.path.fault(in: method.schema.output) else { continue }
      throw Failure(.usage, "\(call.path).capture.\(capture.name): \(fault)")
    }
  }

  /// The encoded request, with the values of a scope.
  func request(_ scope: inout TemplateScope) throws(RPCError) -> [UInt8] {
    if let fixed { return fixed }
    do throws(JSONError) {
      return try MessageJSON().message(method.schema.input, from: call.body.filled(&scope))
        .serializedBytes()
    } catch {
      throw RPCError(
        .invalidArgument, "\(call.path).body.\(error)", isNotProcessed: true, origin: .client)
    }
  }

  /// Makes the call; returns whether it went well.
  ///
  /// - Parameter intended: when it was meant to be sent; nil: now.
  func make(
    over client: any LoadCaller, intended: UInt64? = nil, _ scope: inout TemplateScope
  ) async -> Bool {
    var number: Int?
    let sent = Clock.nanoseconds()
    tally.began(intended: intended ?? sent, sent: sent)
    do throws(RPCError) {
      var bytes = try request(&scope)
      if let writes {
        let next = writes.next()
        bytes = writes.stamped(bytes, next)
        number = next
      }
      let reply = try await exchange(bytes, over: client, sent: sent)
      let now = Clock.nanoseconds()
      if let number { writes?.acknowledged(number, sent: sent, answered: now, reply: reply ?? []) }
      tally.ended(intended: intended ?? sent, sent: sent, now: now, nil)
      if let reply { capture(reply, &scope) }
      return true
    } catch {
      if let number { writes?.failed(number, error) }
      note(error, intended: intended ?? sent, sent: sent)
      return false
    }
  }

  private func note(_ error: RPCError, intended: UInt64, sent: UInt64) {
    // The run cancelled the call, not the server.
    if error.code == .cancelled, error.origin == .client {
      return tally.left(intended: intended, sent: sent)
    }
    tally.ended(
      intended: intended, sent: sent, now: Clock.nanoseconds(),
      (error.code, "\(error.code.name): \(error.message)"))
  }

  /// The reply, or the first message of a reply stream.
  private func exchange(
    _ bytes: [UInt8], over client: any LoadCaller, sent: UInt64
  ) async throws(RPCError) -> [UInt8]? {
    if method.kind == .unary {
      return try await client.callEncoded(method, bytes, options: options).message
    }
    let stream = try client.openStream(
      method, method.kind.clientStreams ? [] : bytes, options)
    if method.kind.clientStreams {
      // Concurrently with reading: both sides could wait for each other forever otherwise.
      Task { [count = call.messages] in
        for _ in 0..<count { try await stream.send(bytes) }
        stream.finishRequest()
      }
    }
    var first: [UInt8]?
    var last = sent
    var count = 0
    while let message = try await stream.next() {
      let now = Clock.nanoseconds()
      if method.kind.serverStreams {
        tally.message(sinceSent: now &- sent, sinceLast: now &- last, isFirst: count == 0)
      }
      if count == 0 { first = message }
      last = now
      count += 1
      if count == call.reads {
        stream.cancel(RPCError(.cancelled, "read as much as was wanted", origin: .client))
        break
      }
    }
    return first
  }

  private func capture(_ reply: [UInt8], _ scope: inout TemplateScope) {
    guard !call.captures.isEmpty,
      let message = try? DynamicMessage(method.schema.output, serializedBytes: reply)
    else { return }
    for (name, path) in call.captures { scope.variables[name] = path.value(in: message) }
  }
}
