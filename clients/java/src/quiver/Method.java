package quiver;

import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;

/**
 * A method of a service, as the generated stubs declare it.
 *
 * @param <Q> the requests
 * @param <R> the replies
 * @param id 256 x service + 1 to 255
 * @param name full, as quiver.v1.Equipment/CreateRiser
 * @param parser of the replies
 * @param requestStreams whether any number of requests is sent
 * @param replyStreams whether any number of replies comes
 * @param isMutating whether the method changes stored data: a unary call takes an idempotency key
 * @param isWatch whether each reply has a `span`, so that the stream can resume
 */
public record Method<Q extends MessageLite, R extends MessageLite>(
    int id, String name, Parser<R> parser, boolean requestStreams, boolean replyStreams,
    boolean isMutating, boolean isWatch) {}
