import QuiverAPI
import QuiverRPC
import QuiverRules
import QuiverStore

extension ComparisonService {
  func getRange(_ request: GetRangeRequest, _ call: CallContext) throws -> RangeChoice {
    let caller = try call.storeCaller()
    return try commands.store.read { (snapshot) throws(StoreError) in
      RangeChoice(try snapshot.keptRange(principal: caller.principal))
    }
  }

  func setRange(
    _ request: SetRangeRequest, _ call: CallContext, _ responder: Responder<RangeChoice>
  ) throws {
    let caller = try call.storeCaller()
    guard let range = request.range, range.range != .unspecified else {
      throw RPCError.invalid("range.range", "must be one of the five ranges")
    }
    let kept = try KeptRange.given(range)
    let command = try SetPreference(key: KeptRange.preferenceKey, value: kept.text)
    commands.submit(command, by: caller, call, responder) { _ in RangeChoice(kept) }
  }
}

/// The validated range of a request.
struct AskedRange: Sendable {
  /// Nil for the stored range.
  let range: KeptRange?
  /// Nil for now.
  let asOf: Int64?

  /// Throws if the range or the instant is not valid.
  init(_ choice: RangeChoice?, asOf: Int64?) throws {
    if let asOf, !QuiverRules.ComparisonRange.instants.contains(asOf) {
      throw RPCError.invalid("as_of_ms", "must be an instant, from 1970 to 9999")
    }
    self.asOf = asOf
    if let choice, choice.range == .unspecified {
      guard choice.startMilliseconds == nil, choice.endMilliseconds == nil else {
        throw RPCError.invalid("range.range", "must be CUSTOM where the range has ends")
      }
    }
    range = try choice.flatMap { (choice) throws in
      choice.range == .unspecified ? nil : try KeptRange.given(choice)
    }
  }
}

/// A range with its instants, and the rounds that count.
struct RangeQuestion: Sendable {
  let range: QuiverRules.ComparisonRange
  let span: ShotSpan
  let includesUnfinished: Bool
  let principal: Int64

  var shown: ShownRange {
    var shown = ShownRange()
    shown.range = QuiverAPI.ComparisonRange(rawValue: range.rawValue)
    shown.startMilliseconds = span.start
    shown.endMilliseconds = span.end
    return shown
  }
}

extension Snapshot {
  /// The principal's last chosen range; thirty days if it has chosen none or the stored one is not
  /// valid.
  func keptRange(principal: Int64) throws(StoreError) -> KeptRange {
    let kept = try preference(principal: principal, key: KeptRange.preferenceKey)
    return kept.flatMap { KeptRange(text: $0.value) } ?? .standard
  }

  func rangeQuestion(
    _ asked: AskedRange, principal: Int64, includesUnfinished: Bool
  ) throws(StoreError) -> RangeQuestion {
    var range = asked.range
    if range == nil { range = try keptRange(principal: principal) }
    let chosen = range ?? .standard
    let now = asked.asOf ?? StoreClock.system.wallMilliseconds()
    do throws(RuleViolation) {
      return RangeQuestion(
        range: chosen.range, span: try chosen.span(asOf: now, prefix: "range"),
        includesUnfinished: includesUnfinished, principal: principal)
    } catch {
      throw StoreError(.invalidArgument, error.message, field: error.field)
    }
  }
}

extension KeptRange {
  /// A range of a request; throws INVALID_ARGUMENT with the field's path.
  static func given(_ choice: RangeChoice) throws -> KeptRange {
    guard let range = QuiverRules.ComparisonRange(rawValue: choice.range.rawValue) else {
      throw RPCError.invalid("range.range", "must be one of the five ranges")
    }
    let kept = KeptRange(
      range: range, start: choice.startMilliseconds, end: choice.endMilliseconds)
    do throws(RuleViolation) {
      _ = try kept.span(asOf: 0, prefix: "range")
    } catch {
      throw RPCError.invalid(error.field, error.message)
    }
    return kept
  }
}

extension RangeChoice {
  init(_ kept: KeptRange) {
    self.init()
    range = QuiverAPI.ComparisonRange(rawValue: kept.range.rawValue)
    startMilliseconds = kept.start
    endMilliseconds = kept.end
  }
}
