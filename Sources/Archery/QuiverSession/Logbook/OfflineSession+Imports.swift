public import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// Imports of other programs' files. They need a connection. What the server has already is
/// unchanged, so that a file can be imported again.
extension OfflineSession {
  private static let chunkByteCount = 64 << 10

  /// Adds the weight entries of a CSV text, all of them or none, and fetches the entries.
  ///
  /// At most 20,000 entries and 4 MiB; a longer file is imported in parts. If `badLines` of the
  /// result is not empty, nothing was added.
  public func importWeights(_ csv: [UInt8]) async throws(SessionError) -> ImportWeightsResponse {
    let result: ImportWeightsResponse
    do throws(SessionError) {
      result = try await change(Logbook.importWeights, .with { $0.csv = csv })
    } catch {
      throw error.whileTrying(to: "import weights")
    }
    // The import is made: without a connection the next load shows it.
    _ = await load { (store) throws(SessionError) in try await self.fetchWeights(store) }
    return result
  }

  /// Adds the sets of a strength log; ``StrengthLogModel`` shows them after its next load.
  ///
  /// The log has at most 64 MiB. If `kept` of the result is false, the log has bad lines and
  /// nothing was stored. Without a result nothing is stored, or all of it: import it again.
  public func importSets(
    _ log: [UInt8], _ options: ImportOptions = ImportOptions()
  ) async throws(SessionError) -> ImportResult {
    do throws(RPCError) {
      guard log.count <= StrengthFile.maximumByteCount else {
        throw RPCError(
          .invalidArgument, "a log may have \(StrengthFile.maximumByteCount) bytes",
          origin: .client)
      }
      return try await noting { () async throws(RPCError) in
        try await imported(log, options)
      }
    } catch {
      throw SessionError(error).whileTrying(to: "import sets")
    }
  }

  private func imported(
    _ log: [UInt8], _ options: ImportOptions
  ) async throws(RPCError) -> ImportResult {
    let stream = try transport.stream(Logbook.importSets.info, [], after: nil)
    let sending = Task {
      do throws(RPCError) {
        try await Self.send(log, options, over: stream)
      } catch {
        stream.cancel(error)
      }
    }
    defer { sending.cancel() }
    return try await Self.result(of: stream)
  }

  /// The server reads while it answers, so that a log is sent while the answers are read.
  private static func send(
    _ log: [UInt8], _ options: ImportOptions, over stream: any SessionStream
  ) async throws(RPCError) {
    var request = ImportSetsRequest()
    request.options = options
    request.options?.byteCount = Int64(log.count)
    try await stream.send(request.serializedBytes())
    var start = 0
    while start < log.count {
      let end = min(log.count, start + chunkByteCount)
      try await stream.send(
        ImportSetsRequest.with { $0.chunk = Array(log[start..<end]) }.serializedBytes())
      start = end
    }
    stream.finishRequest()
  }

  private static func result(
    of stream: any SessionStream
  ) async throws(RPCError) -> ImportResult {
    while let bytes = try await stream.next() {
      guard let answer = try? ImportSetsResponse(serializedBytes: bytes) else { break }
      if let result = answer.result { return result }
    }
    let error = RPCError(.internal, "the server's answer has no result", origin: .client)
    stream.cancel(error)
    throw error
  }
}
