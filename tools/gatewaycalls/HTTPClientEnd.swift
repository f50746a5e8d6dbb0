import QuiverDispatch
import QuiverRPC
import QuiverWire
import Synchronization

/// The connection of a client of HTTP/1.1, with one request at a time.
///
/// Lives on its reactor; ``send(_:_:)`` and ``giveUp(_:_:)`` may be called from anywhere.
// Sendable because it is touched on its reactor alone.
final class HTTPClientEnd: DrivenEnd, @unchecked Sendable {
  weak var driver: (any ConnectionDriver)?
  let address = ""
  private let reactor: any Reactor
  private var queue = ByteQueue()
  private var input = ByteQueue()
  private var state = State.idle
  private var response: HTTPResponse?
  private let isOver = Atomic(false)

  private enum State {
    /// No request is open.
    case idle
    case head
    /// So many bytes of the body are to come.
    case body(Int)
    case chunkSize
    /// So many bytes of a chunk are to come, then its line end.
    case chunk(Int)
    case trailers
  }

  private static let largestHeadBytes = 65_536

  init(_ reactor: any Reactor) { self.reactor = reactor }

  /// Whether the connection is not known to be closed.
  var isUsable: Bool { !isClosed }

  private var isClosed: Bool { isOver.load(ordering: .relaxed) }

  /// Sends a request, whose response goes to `response`. There is no other open request.
  func send(_ request: [UInt8], _ response: HTTPResponse) {
    reactor.run { [self] in
      guard !isClosed else {
        return response.end(
          RPCError(
            .unavailable, "the connection was closed", isNotProcessed: true, origin: .connection))
      }
      self.response = response
      state = .head
      queue.append(request)
      driver?.hasOutput()
    }
  }

  /// Closes the connection, if the response is the one that it receives.
  func giveUp(_ response: HTTPResponse, _ error: RPCError) {
    reactor.run { [self] in
      guard self.response === response, !isClosed else { return }
      response.end(error)
      end("the request was given up")
      driver?.hasOutput()
    }
  }

  /// The reader of a response has room again.
  func wantsInputAgain() { reactor.run { [self] in driver?.hasOutput() } }

  // MARK: Input

  func receive(_ chunk: UnsafeRawBufferPointer, now: UInt64) {
    input.append(chunk)
    while !isClosed, !input.isEmpty, step() {}
  }

  /// Takes the next part of the input; false if more must arrive first.
  private func step() -> Bool {
    switch state {
    case .idle: end("the gateway sent bytes that belong to no request")
    case .head:
      guard let text = takeText(until: "\r\n\r\n") else { return false }
      readHead(text)
    case .body(let left):
      let count = pass(min(left, input.count))
      if count == left { finish() } else { state = .body(left - count) }
    case .chunkSize:
      guard let line = takeText(until: "\r\n") else { return false }
      guard let size = Int(line.prefix { $0 != ";" }, radix: 16), size >= 0 else {
        end("the gateway sent a chunk without a size")
        return false
      }
      state = size == 0 ? .trailers : .chunk(size)
    case .chunk(0):
      guard input.count >= 2 else { return false }
      input.consume(2)
      state = .chunkSize
    case .chunk(let left): state = .chunk(left - pass(min(left, input.count)))
    case .trailers:
      guard let line = takeText(until: "\r\n") else { return false }
      if line.isEmpty { finish() }
    }
    return true
  }

  private func readHead(_ text: String) {
    let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
    let words = lines[0].split(separator: " ")
    guard words.count > 1, words[0] == "HTTP/1.1", let status = Int(words[1]) else {
      return end("the gateway does not speak HTTP/1.1")
    }
    var fields: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      let value = parts[1].drop { $0 == " " }
      fields[parts[0].lowercased()] = String(value)
    }
    response?.begin(status, fields)
    if fields["transfer-encoding"] != nil {
      state = .chunkSize
    } else if let length = Int(fields["content-length"] ?? "0"), length > 0 {
      state = .body(length)
    } else {
      finish()
    }
  }

  /// Hands bytes of the body on; returns how many.
  private func pass(_ count: Int) -> Int {
    response?.take(UnsafeRawBufferPointer(rebasing: input.bytes[..<count]))
    input.consume(count)
    return count
  }

  /// The text before an ending, which is taken with it; nil if it has not arrived.
  private func takeText(until ending: String) -> String? {
    let bytes = input.bytes
    let ending = Array(ending.utf8)
    var place = 0
    while place + ending.count <= bytes.count {
      if bytes[place..<place + ending.count].elementsEqual(ending) {
        let text = String(decoding: bytes[..<place], as: UTF8.self)
        input.consume(place + ending.count)
        return text
      }
      place += 1
    }
    if bytes.count > Self.largestHeadBytes { end("the gateway sent a head without an end") }
    return nil
  }

  private func finish() {
    state = .idle
    let response = response.take()
    if response?.fields["connection"] == "close" { end("the gateway closed the connection") }
    response?.end(self)
  }

  // MARK: Output and life

  var output: UnsafeRawBufferPointer { queue.bytes }

  func wrote(_ byteCount: Int, now: UInt64) { queue.consume(byteCount) }

  func writeBlocked(now: UInt64) {}

  func exchangeOutput(_ spare: inout ByteQueue) { if queue.isEmpty { swap(&queue, &spare) } }

  func timerFired(now: UInt64) {}

  var nextTimer: UInt64 { 0 }

  var wantsInput: Bool { response?.hasRoom ?? true }

  var phase: ConnectionCore.Phase { isClosed ? .closed : .open }

  func didHalfClose(now: UInt64) {}

  func closed(_ reason: String) { end(reason) }

  func located(at address: String) {}

  func drain(now: UInt64) {}

  private func end(_ reason: String) {
    isOver.store(true, ordering: .relaxed)
    response.take()?.end(reason)
  }
}
