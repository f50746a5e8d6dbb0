#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// How a screen's content was loaded; every model has a state.
public enum LoadState: Sendable, Equatable {
  /// Nothing was loaded since the model was created. The content is this device's, which the server
  /// last confirmed at `staleSince`; nil if it never did.
  case idle(staleSince: Date?)
  /// A load is in progress; the content is this device's.
  case loading(staleSince: Date?)
  /// The content is current, or, if the server cannot be reached, from `staleSince`.
  case loaded(staleSince: Date?)
  /// The load failed and there is no content.
  case failed(SessionError)

  /// Whether a load is in progress.
  public var isLoading: Bool {
    if case .loading = self { true } else { false }
  }

  /// When the server last confirmed the content; nil if it is current, unknown or missing.
  public var staleSince: Date? {
    switch self {
    case .idle(let date), .loading(let date), .loaded(let date): date
    case .failed: nil
    }
  }

  /// Why the load failed; nil if it did not.
  public var error: SessionError? {
    if case .failed(let error) = self { error } else { nil }
  }

  /// The text of ``error``, for example "Failed to load equipment: …".
  public var errorText: String? { error?.description }

  /// Changes the date; a failure stays.
  mutating func setStaleSince(_ date: Date?) {
    switch self {
    case .idle: self = .idle(staleSince: date)
    case .loading: self = .loading(staleSince: date)
    case .loaded: self = .loaded(staleSince: date)
    case .failed: break
    }
  }
}
