import QuiverAPI

/// Tokens and principals in words.
enum TokenText {
  static func kind(_ kind: PrincipalKind) -> String {
    switch kind {
    case .user: "user"
    case .service: "service"
    case .administrator: "administrator"
    case .device: "device"
    default: "kind \(kind.rawValue)"
    }
  }

  /// An instant to the second with the zone of this machine; `never` where there is none.
  static func time(_ milliseconds: Int64?) -> String {
    guard let milliseconds else { return "never" }
    // Years of more than four digits are no dates that anybody meant.
    guard (0...253_402_300_799_999).contains(milliseconds) else { return "\(milliseconds) ms" }
    return InstantText.text(milliseconds)
  }
}
