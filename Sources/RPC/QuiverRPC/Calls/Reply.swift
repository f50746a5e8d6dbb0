/// The message that a call returned, with its metadata.
public struct Reply<Value: Sendable>: Sendable {
  /// The message.
  public let message: Value
  /// The metadata that the server sent before the message.
  public let initialMetadata: Metadata
  /// The metadata that the server sent after the message.
  public let trailingMetadata: Metadata

  /// Creates a reply; a handler that sends no metadata needs only the message.
  public init(message: Value, initialMetadata: Metadata = [:], trailingMetadata: Metadata = [:]) {
    self.message = message
    self.initialMetadata = initialMetadata
    self.trailingMetadata = trailingMetadata
  }
}
