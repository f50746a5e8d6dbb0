import QuiverProtobuf
import QuiverWire

/// A model that shows one answer of the server about an event, and keeps it for times without a
/// connection.
@MainActor
protocol EventAnswerModel: FetchedModel where Content == EventAnswerContent<Answer> {
  /// The reply, with all its pages.
  associatedtype Answer: Message
  /// Under which the answer is stored.
  var answerName: String { get }
  /// What is shown; nil before the first load, and after an error.
  var answer: Answer? { get set }
  /// Asks the server for the answer, with all its pages.
  var question: @Sendable (OfflineSession) async throws(SessionError) -> Answer { get }
  /// What is stored of an answer that came over the stored one, which may be newer where a watch
  /// follows the same.
  nonisolated static func merged(_ answer: Answer, over known: Answer?) -> Answer
}

/// What a model of an answer reads from this device.
struct EventAnswerContent<Answer: Message>: Sendable {
  let answer: Answer?
}

extension EventAnswerModel {
  nonisolated static func merged(_ answer: Answer, over known: Answer?) -> Answer { answer }

  var hasContent: Bool { answer != nil }

  var fetch: Fetch {
    let (session, name, question) = (session, answerName, question)
    return { (store) throws(SessionError) in
      let answer = try await question(session)
      try await store.write { (transaction) throws(SessionError) in
        let known: Answer? = try transaction.eventAnswer(name)?.answer
        try transaction.keepEventAnswer(
          name, Self.merged(answer, over: known), limits: store.limits)
      }
    }
  }

  /// Shows the stored answer once it is read, and after each change of it or of the connection.
  func startShowing() {
    startObserving { model, keys in
      !keys.isDisjoint(with: [.eventAnswer(model.answerName), .connection])
    }
    Task { [weak self] in await self?.showContent() }
  }

  /// Shows the answer to another question, after `change` has selected it, and loads it.
  func select(_ change: () -> Void) async throws(SessionError) {
    change()
    show(nil)
    state = .idle(staleSince: nil)
    await showContent()
    try await loadContent()
  }

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

  func show(_ content: EventAnswerContent<Answer>?) { answer = content?.answer }
}
