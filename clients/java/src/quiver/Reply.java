package quiver;

import java.util.List;

/** A reply with its metadata. */
public record Reply<R>(R message, List<Metadata> initialMetadata, List<Metadata> trailingMetadata) {}
