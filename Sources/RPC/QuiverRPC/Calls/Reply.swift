/// What a call was answered: the message and the metadata around it.
public struct Reply<Value: Sendable>: Sendable {
  public let message: Value
  /// What the server sent ahead of the message.
  public let initialMetadata: Metadata
  /// What the server sent behind the message.
  public let trailingMetadata: Metadata

  public init(message: Value, initialMetadata: Metadata = [:], trailingMetadata: Metadata = [:]) {
    self.message = message
    self.initialMetadata = initialMetadata
    self.trailingMetadata = trailingMetadata
  }
}
