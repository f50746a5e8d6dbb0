import QuiverProtobuf
import QuiverWire

/// A model that shows one answer of the server about an event, and keeps it for times without a
/// connection.
@MainActor
protocol EventAnswerModel: StoredModel where Content == EventAnswerContent<Answer> {
  /// The reply, with all its pages.
  associatedtype Answer: Message
  /// Under which the answer is stored.
  var answerName: String { get }
}

/// What a model of an answer reads from this device.
struct EventAnswerContent<Answer: Message>: Sendable {
  let answer: Answer?
}

extension EventAnswerModel {
  func read() async throws(SessionError) -> (
    content: EventAnswerContent<Answer>, fetchedAt: Int64?
  ) {
    let name = answerName
    let found = try await session.store().read {
      (transaction) throws(SessionError) -> (answer: Answer, fetchedAt: Int64)? in
      try transaction.eventAnswer(name)
    }
    return (EventAnswerContent(answer: found?.answer), found?.fetchedAt)
  }

  /// Sends the pending changes, and stores and shows the answer that `ask` returns.
  func loadAnswer(
    _ ask: @escaping @Sendable (OfflineSession) async throws(SessionError) -> Answer
  ) async throws(SessionError) {
    let (session, name) = (session, answerName)
    try await loadContent { (store) throws(SessionError) in
      let answer = try await ask(session)
      try await store.write { (transaction) throws(SessionError) in
        try transaction.keepEventAnswer(name, answer, limits: store.limits)
      }
    }
  }
}
