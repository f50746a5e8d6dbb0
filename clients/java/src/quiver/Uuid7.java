package quiver;

import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.security.SecureRandom;

/** Identifiers that a client makes, as {@code client_id} of equipment and of operations. */
public final class Uuid7 {
  private static final SecureRandom RANDOM = new SecureRandom();

  private Uuid7() {}

  /**
   * A new UUIDv7 (RFC 9562): the time in milliseconds, then 74 random bits.
   *
   * @return 16 bytes
   */
  public static ByteString next() {
    byte[] bytes = new byte[16];
    RANDOM.nextBytes(bytes);
    long time = System.currentTimeMillis();
    ByteBuffer.wrap(bytes).putInt((int) (time >> 16)).putShort((short) time);
    bytes[6] = (byte) (0x70 | bytes[6] & 0x0F);
    bytes[8] = (byte) (0x80 | bytes[8] & 0x3F);
    return ByteString.copyFrom(bytes);
  }
}
