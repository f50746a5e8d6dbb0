public import FoundationEssentials

/// How the content of a screen was loaded; every model has one.
public enum LoadState: Sendable, Equatable {
  /// Nothing was loaded since the model was made. The content is that of this device, which the
  /// server last confirmed at `staleSince`; nil: it never did.
  case idle(staleSince: Date?)
  /// A load is under way, above the content of this device.
  case loading(staleSince: Date?)
  /// The content is current, or, where the server cannot be reached, as it was at `staleSince`.
  case loaded(staleSince: Date?)
  /// The load failed and there is no content.
  case failed(SessionError)

  public var isLoading: Bool {
    if case .loading = self { true } else { false }
  }

  /// When the server last confirmed the content; nil where it is current, unknown or missing.
  public var staleSince: Date? {
    switch self {
    case .idle(let date), .loading(let date), .loaded(let date): date
    case .failed: nil
    }
  }

  /// Why the load failed; nil: it did not.
  public var error: SessionError? {
    if case .failed(let error) = self { error } else { nil }
  }

  /// The sentence of ``error``, as in "Failed to load equipment: …".
  public var errorText: String? { error?.description }

  /// The same state with another date; a failure stays.
  mutating func setStaleSince(_ date: Date?) {
    switch self {
    case .idle: self = .idle(staleSince: date)
    case .loading: self = .loading(staleSince: date)
    case .loaded: self = .loaded(staleSince: date)
    case .failed: break
    }
  }
}
