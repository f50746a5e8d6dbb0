package quiver;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * An entry of metadata, or a detail of a status.
 *
 * @param key of metadata: 1 to 64 characters of a-z 0-9 . _ -; of a detail: the name of a message
 * @param value any bytes
 */
public record Metadata(String key, byte[] value) {
  /**
   * Makes an entry whose value is text.
   *
   * @param key 1 to 64 characters of a-z 0-9 . _ -
   * @param value sent as UTF-8
   * @return the entry
   */
  public static Metadata of(String key, String value) {
    return new Metadata(key, value.getBytes(StandardCharsets.UTF_8));
  }

  /** What is wrong with entries; null if nothing is. */
  static StatusCode fault(List<Metadata> entries) {
    int bytes = 0;
    for (Metadata entry : entries) {
      if (!entry.key.matches("[a-z0-9._-]{1,64}")) return StatusCode.INVALID_ARGUMENT;
      bytes += entry.key.length() + entry.value.length;
    }
    return entries.size() > 64 || bytes > 8192 ? StatusCode.RESOURCE_EXHAUSTED : null;
  }
}
