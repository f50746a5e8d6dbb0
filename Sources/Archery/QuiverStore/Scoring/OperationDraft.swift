import QuiverRules

/// A scoring operation from a request, validated as far as possible without the store.
package struct OperationDraft: Sendable {
  let clientID: [UInt8]
  let kind: OperationKind
  let participant: ObjectReference
  let slot: ArrowSlot

  /// Nil for a retraction, and if the score follows from the position.
  let score: ArrowScore?
  let position: ArrowPosition?
  let input: InputMode

  /// The number of the arrow's shaft; 0: not known, or that of the arrow that is corrected.
  let shaft: Int

  /// 0 stands for the current time.
  let scoredAtMilliseconds: Int64
  let replaces: ObjectReference?
  let reason: String
  let device: String

  /// Who agreed to a correction or a retraction; nil: nobody is named.
  let witness: CorrectionWitness?

  /// The path of the operation in the request, with a trailing dot.
  let path: String

  /// The field of the request that names the replaced operation.
  var replacedFieldName: String {
    if case .clientID = replaces { "replaces_client_id" } else { "replaces_id" }
  }

  /// The fields of the request, not validated.
  package struct Content: Sendable {
    package var clientID: [UInt8] = []
    package var kind = OperationKind.record
    package var participant: ObjectReference
    package var endIndex: UInt32 = 0
    package var arrowIndex: UInt32 = 0
    package var value: UInt32?
    package var isX = false
    package var x: Double?
    package var y: Double?
    package var input: Int32 = 0
    package var shaft: UInt32 = 0
    package var scoredAtMilliseconds: Int64 = 0
    package var replaces: ObjectReference?
    package var reason = ""
    package var device = ""
    package var witnessID: Int64 = 0
    package var judgeID: Int64 = 0

    package init(_ participant: ObjectReference) { self.participant = participant }
  }

  /// Validates the fields; `path` is their prefix, for example `operation.`.
  package init(_ content: Content, path: String) throws(StoreError) {
    self.path = path
    clientID = content.clientID
    kind = content.kind
    participant = content.participant
    slot = ArrowSlot(
      endIndex: Int(content.endIndex), arrowIndex: Int(content.arrowIndex))
    position = try Self.position(content, path)
    guard let input = Self.input(content) else {
      throw .invalid(path + "input", "must be buttons, target or unspecified")
    }
    self.input = input
    score = try Self.score(content, path)
    guard content.shaft <= UInt32(StoreLimits.shaftNumber) else {
      throw .invalid(path + "shaft", "must be at most \(StoreLimits.shaftNumber)")
    }
    shaft = content.kind == .retract ? 0 : Int(content.shaft)
    guard content.scoredAtMilliseconds >= 0 else {
      throw .invalid(path + "scored_at_ms", "must be 0 or above")
    }
    scoredAtMilliseconds = content.scoredAtMilliseconds
    reason = try Self.text(content.reason, "reason", path)
    device = try Self.text(content.device, "device", path)
    witness = try CorrectionWitness(
      participant: content.witnessID, judge: content.judgeID, path: path)
    replaces = content.kind == .record ? nil : content.replaces
    try checkForerunner(content)
  }

  private static func text(
    _ text: String, _ field: String, _ path: String
  ) throws(StoreError) -> String {
    // Most have none, and need no path for a complaint.
    guard !text.isEmpty else { return text }
    return try validating { () throws(RuleViolation) in
      try TextLimits.checked(text, length: TextLimits.nameLength, path: path + field)
    }
  }

  private func checkForerunner(_ content: Content) throws(StoreError) {
    guard kind != .record else {
      guard content.replaces == nil else {
        throw .invalid(path + "replaces_id", "goes with corrections and retractions alone")
      }
      guard let witness else { return }
      throw .invalid(
        path + (witness.judge > 0 ? "judge_id" : "witness_id"),
        "goes with corrections and retractions alone")
    }
    guard replaces != nil else {
      throw .invalid(path + "replaces_id", "must be given, or replaces_client_id")
    }
    guard !reason.isEmpty else { throw .invalid(path + "reason", "must not be blank") }
  }

  private static func position(
    _ content: Content, _ path: String
  ) throws(StoreError) -> ArrowPosition? {
    guard content.kind != .retract, content.x != nil || content.y != nil else { return nil }
    guard let x = content.x, let y = content.y else {
      throw .invalid(path + (content.x == nil ? "x" : "y"), "must be given with the other")
    }
    for (value, name) in [(x, "x"), (y, "y")] where !ArrowPosition.range.contains(value) {
      throw .invalid(path + name, "must be from -10 to 10, in radii of the face")
    }
    return ArrowPosition(x: x, y: y)
  }

  private static func input(_ content: Content) -> InputMode? {
    if content.input == 0 { return content.x == nil ? .buttons : .target }
    return InputMode(rawValue: content.input)
  }

  private static func score(
    _ content: Content, _ path: String
  ) throws(StoreError) -> ArrowScore? {
    guard content.kind != .retract else { return nil }
    guard let value = content.value else {
      guard content.x != nil else {
        throw .invalid(path + "value", "must be given, or a position")
      }
      return nil
    }
    guard value <= UInt32(ArrowScore.maximumValue) else {
      throw .invalid(path + "value", "must be at most \(ArrowScore.maximumValue)")
    }
    return ArrowScore(value: Int(value), isX: content.isX)
  }
}
