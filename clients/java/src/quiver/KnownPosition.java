package quiver;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The latest position of the servers' store that a client has seen, which its calls state, so that no server answers
 * from an older state (PROTOCOL.md, section 7.7). On the thread of the client.
 */
final class KnownPosition {
  static final String KEY = "quiver-position";
  private static final Pattern FORM = Pattern.compile("([0-9a-f]{16})-([1-9][0-9]{0,18})");

  private long epoch;
  /** 0: no server has stated one. */
  private long sequence;

  /** The metadata of a call with the position, unless the caller states one itself or there is no room. */
  List<Metadata> stated(List<Metadata> metadata) {
    if (sequence == 0) return metadata;
    for (Metadata entry : metadata) if (entry.key().equals(KEY)) return metadata;
    List<Metadata> stating = new ArrayList<>(metadata);
    stating.add(Metadata.of(KEY, String.format(java.util.Locale.ROOT, "%016x-%d", epoch, sequence)));
    return Metadata.fault(stating) == null ? stating : metadata;
  }

  /** A call has ended OK with this trailing metadata. */
  void received(List<Metadata> trailing) {
    read(trailing, false);
  }

  /** A call has failed for good with this metadata. If it states a position, the store was set back to it. */
  void failed(List<Metadata> trailing) {
    read(trailing, true);
  }

  /** A watch has shown the changes up to a position. */
  void watched(CallOptions.Position reached) {
    if (sequence != 0 && reached.storeEpoch() == epoch) sequence = Math.max(sequence, reached.sequence());
  }

  private void read(List<Metadata> trailing, boolean replaces) {
    for (Metadata entry : trailing) {
      if (!entry.key().equals(KEY)) continue;
      Matcher found = FORM.matcher(new String(entry.value(), StandardCharsets.ISO_8859_1));
      if (!found.matches()) return;
      long stated;
      try {
        stated = Long.parseLong(found.group(2));
      } catch (NumberFormatException error) {
        return;
      }
      long of = Long.parseUnsignedLong(found.group(1), 16);
      if (!replaces && of == epoch && stated <= sequence) return;
      epoch = of;
      sequence = stated;
      return;
    }
  }
}
