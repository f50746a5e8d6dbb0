/// What the store of one device must have: the acknowledged edits, and perhaps the edit that was in
/// progress when it was killed.
struct Oracle {
  private(set) var values: [EditedObject: String] = [:]
  /// How many edits have begun.
  private(set) var begunCount = 0
  private var acknowledgedCount = 0
  private var interruptedCount = 0
  /// How many interrupted edits the device had stored.
  private var storedCount = 0
  /// The edit that began and was not acknowledged; nil: none.
  private var interrupted: (object: EditedObject, value: String?)?

  /// What is printed at the end.
  struct Counts {
    var acknowledged = 0
    var interrupted = 0
    var stored = 0
    var objects = 0

    mutating func add(_ other: Counts) {
      acknowledged += other.acknowledged
      interrupted += other.interrupted
      stored += other.stored
      objects += other.objects
    }
  }

  var counts: Counts {
    Counts(
      acknowledged: acknowledgedCount, interrupted: interruptedCount, stored: storedCount,
      objects: values.count)
  }

  /// Takes the output of one run of the device; returns what is wrong in it.
  mutating func take(_ lines: [DeviceLine]) -> [String] {
    var findings: [String] = []
    var found: [EditedObject: String] = [:]
    for line in lines {
      switch line {
      case .has(let object, let value):
        if found.updateValue(value, forKey: object) != nil {
          findings.append("a device has \(object) twice")
        }
      case .attention(let reason): findings.append("a change needs attention: \(reason)")
      case .ready: findings += compare(found).map { "on a device: \($0)" }
      case .begin(let object, let value):
        if interrupted != nil { findings.append("an edit began before the last one ended") }
        interrupted = (object, value)
        begunCount += 1
      case .done:
        guard let edit = interrupted else {
          findings.append("an edit ended that never began")
          continue
        }
        values[edit.object] = edit.value
        interrupted = nil
        acknowledgedCount += 1
      }
    }
    return findings
  }

  /// The objects that are not as they must be.
  static func differences(
    _ wanted: [EditedObject: String], _ found: [EditedObject: String]
  ) -> [String] {
    Set(wanted.keys).union(found.keys).sorted().compactMap { object in
      guard wanted[object] != found[object] else { return nil }
      return "\(object): expected \(wanted[object] ?? "none"), found \(found[object] ?? "none")"
    }
  }

  /// Compares a store with the acknowledged edits, and finds out whether the interrupted edit is
  /// one of them. Differences are reported once: from then on the store is expected to be as it is.
  private mutating func compare(_ found: [EditedObject: String]) -> [String] {
    if let edit = interrupted {
      interruptedCount += 1
      if found[edit.object] == edit.value, values[edit.object] != edit.value {
        values[edit.object] = edit.value
        storedCount += 1
      }
    }
    interrupted = nil
    let findings = Self.differences(values, found)
    values = found
    return findings
  }
}
