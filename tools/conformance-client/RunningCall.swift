import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC

/// A call of the driver. Methods that do not fit its kind do nothing.
protocol RunningCall {
  func send(_ payload: [UInt8])
  func finish()
  /// Reads so many messages of the reply; 0: all.
  func read(_ count: Int)
  func cancel()
}

extension RunningCall {
  func send(_ payload: [UInt8]) {}
  func finish() {}
  func read(_ count: Int) {}
}

/// A unary call.
struct UnaryCall: RunningCall {
  private let task: Task<Void, Never>

  init(
    _ id: Int, _ client: RPCClient, _ method: UnaryMethod<EchoMessage, EchoMessage>,
    _ request: EchoMessage, _ options: CallOptions
  ) {
    task = Task {
      do {
        let reply = try await client.reply(to: method, request, options: options)
        Output.message(id, reply.message.payload)
        Output.end(id, initial: reply.initialMetadata, trailing: reply.trailingMetadata)
      } catch {
        Output.end(id, error)
      }
    }
  }

  func cancel() { task.cancel() }
}

/// What the driver asks of a call, in order, done by one task.
final class Queue<Element: Sendable>: Sendable {
  let stream: AsyncStream<Element>
  let continuation: AsyncStream<Element>.Continuation

  init() { (stream, continuation) = AsyncStream<Element>.makeStream() }
}

/// Reads messages as often as the driver asks for it; a read of 0 never ends.
func readReplies(
  _ id: Int, _ replies: ReplyStream<EchoMessage>, _ counts: AsyncStream<Int>
) async {
  do {
    var iterator = replies.makeAsyncIterator()
    for await count in counts {
      var number = 0
      while count == 0 || number < count {
        guard let message = try await iterator.next() else {
          return Output.end(id, trailing: replies.trailingMetadata)
        }
        number += 1
        Output.message(id, message.payload)
      }
    }
  } catch {
    Output.end(id, error)
  }
}

/// A call whose reply is a stream.
struct StreamCall: RunningCall {
  private let counts = Queue<Int>()
  private let task: Task<Void, Never>

  init(_ id: Int, _ open: () throws -> ReplyStream<EchoMessage>) {
    do {
      let replies = try open()
      task = Task { [counts] in
        await readReplies(id, replies, counts.stream)
      }
    } catch {
      Output.end(id, error)
      task = Task {}
    }
  }

  func read(_ count: Int) { counts.continuation.yield(count) }
  func cancel() { task.cancel() }
}

/// A watch.
struct WatchCall: RunningCall {
  private let counts = Queue<Int>()
  private let task: Task<Void, Never>

  init(_ id: Int, _ client: RPCClient, _ options: CallOptions) {
    let watch = client.watch(Equipment.methods.watchItems, WatchItemsRequest(), options: options)
    let counts = counts
    task = Task {
      var iterator = watch.makeAsyncIterator()
      var allowed = counts.stream.makeAsyncIterator()
      do {
        // A watch opens when it is first read; the message waits for the driver.
        var pending = try await iterator.next()
        while let count = await allowed.next() {
          var number = 0
          while count == 0 || number < count {
            if pending == nil { pending = try await iterator.next() }
            guard let span = pending?.span else { return }
            pending = nil
            number += 1
            Output.write([
              "event": "span", "id": id, "after": span.after, "upto": span.upto,
              "epoch": "\(span.storeEpoch)", "snapshot": span.isSnapshot,
              "incomplete": span.isIncomplete,
            ])
          }
        }
      } catch {
        Output.end(id, error)
      }
    }
  }

  func read(_ count: Int) { counts.continuation.yield(count) }
  func cancel() { task.cancel() }
}

/// A call whose request is a stream, with one reply.
struct UploadCall: RunningCall {
  private let messages = Queue<EchoMessage>()
  private let task: Task<Void, Never>

  init(_ id: Int, _ client: RPCClient, _ options: CallOptions) {
    task = Task { [messages] in
      do {
        let call = try client.open(Methods.upload, options: options)
        let sender = Task { for await message in messages.stream { try await call.send(message) } }
        let reader = Task { () throws -> EchoMessage? in
          var iterator = call.replies.makeAsyncIterator()
          return try await iterator.next()
        }
        Task {
          try? await sender.value
          call.finish()
        }
        let reply = try await withTaskCancellationHandler {
          try await reader.value
        } onCancel: {
          call.cancel()
        }
        if let reply { Output.message(id, reply.payload) }
        Output.end(id)
      } catch {
        Output.end(id, error)
      }
    }
  }

  func send(_ payload: [UInt8]) {
    messages.continuation.yield(EchoMessage.with { $0.payload = payload })
  }
  func finish() { messages.continuation.finish() }
  func cancel() { task.cancel() }
}

/// A call with streams both ways.
struct TalkCall: RunningCall {
  private let messages = Queue<EchoMessage>()
  private let counts = Queue<Int>()
  private let task: Task<Void, Never>

  init(_ id: Int, _ client: RPCClient, _ options: CallOptions) {
    task = Task { [messages, counts] in
      do {
        let call = try client.open(Methods.talk, options: options)
        Task {
          for await message in messages.stream { try await call.send(message) }
          call.finish()
        }
        await readReplies(id, call.replies, counts.stream)
      } catch {
        Output.end(id, error)
      }
    }
  }

  func send(_ payload: [UInt8]) {
    messages.continuation.yield(EchoMessage.with { $0.payload = payload })
  }
  func finish() { messages.continuation.finish() }
  func read(_ count: Int) { counts.continuation.yield(count) }
  func cancel() { task.cancel() }
}
