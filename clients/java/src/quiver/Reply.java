package quiver;

import java.util.List;

/**
 * A reply with its metadata.
 *
 * @param <R> the message
 * @param message the reply
 * @param initialMetadata sent in front of it
 * @param trailingMetadata sent behind it
 */
public record Reply<R>(R message, List<Metadata> initialMetadata, List<Metadata> trailingMetadata) {}
