package import QuiverRules

/// The arrow in a slot, or the last one there before it was retracted.
package struct ScoredArrowRecord: Sendable, Equatable {
  package let slot: ArrowSlot
  package let score: ArrowScore

  /// In radii of the nominal face; nil if the client sent none.
  package let position: ArrowPosition?
  package let input: InputMode

  /// The number of its shaft; 0 if it is not known.
  package let shaft: Int
  package let isFlagged: Bool
  package let isRetracted: Bool
  package let scoredAtMilliseconds: Int64
  package let receivedAtMilliseconds: Int64

  /// The operation that the next one on the slot must replace.
  package let operationID: Int64
  package let operationClientID: [UInt8]
}

/// The position of an arrow in radii of the nominal face: +x is right, +y is up.
package struct ArrowPosition: Sendable, Equatable {
  package let x: Double
  package let y: Double

  /// The range of each coordinate.
  package static let range = -10.0...10

  package init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}

/// How an arrow was entered; the raw values are those of `quiver.v1.InputMode` and are stored.
package enum InputMode: Int32, Sendable {
  case buttons = 1
  case target = 2
}

/// A stored operation.
package struct OperationRecord: Sendable, Equatable {
  package let id: Int64
  package let clientID: [UInt8]
  package let participant: Int64
  package let principal: Int64
  package let state: State
  package let kind: OperationKind
  package let slot: ArrowSlot
  package let score: ArrowScore?
  package let position: ArrowPosition?
  package let input: InputMode

  /// The number of the arrow's shaft; 0 if it named none.
  package let shaft: Int
  package let isFlagged: Bool

  /// The operation that it replaces; nil for a record, and if that operation has not arrived.
  package let replacesID: Int64?
  package let replacesClientID: [UInt8]

  /// The record that it repeats; nil if it repeats none.
  package let standsForID: Int64?
  package let scoredAtMilliseconds: Int64
  package let receivedAtMilliseconds: Int64
  package let reason: String
  package internal(set) var device: String

  /// Who agreed to a correction or a retraction; nil: nobody was named.
  package internal(set) var witness: CorrectionWitness?

  /// Why the organiser admitted or rejected it.
  package let ruling: String

  /// The raw values are stored.
  package enum State: Int64, Sendable {
    case applied = 1
    /// It arrived after the event was finalised.
    case late = 2
    case rejected = 3
  }
}

/// The effect of an operation; the raw values are those of `quiver.v1.OperationKind` and are
/// stored.
package enum OperationKind: Int32, Sendable {
  case record = 1
  case correct = 2
  case retract = 3

  /// The action in the audit of an event.
  var auditedAction: String {
    switch self {
    case .record: "arrow.record"
    case .correct: "arrow.correct"
    case .retract: "arrow.retract"
    }
  }
}
