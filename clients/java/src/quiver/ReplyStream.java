package quiver;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.MessageLite;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.Flow;
import quiver.v1.WatchSpan;

/**
 * The messages of a streaming reply: read them by {@link #next}, by a loop, or by {@link #subscribe}.
 *
 * <p>A reader that stops reading stops the server after one window (64 KiB). A watch resumes by itself.
 * {@link #close} ends the call. May be used by any thread, by one reader at a time.
 *
 * @param <R> the messages
 */
public class ReplyStream<R extends MessageLite>
    implements Iterable<R>, AutoCloseable, Flow.Publisher<R> {
  private record Item(byte[] message, int charge) {}

  final Call call;
  private final Method<?, R> method;
  private final ArrayDeque<Item> items = new ArrayDeque<>();
  private boolean hasEnded, hasRoom;
  private RpcException error;
  private List<Metadata> initial = List.of(), trailing = List.of();
  private volatile CallOptions.Position position;
  private Subscription subscription;

  ReplyStream(Channel channel, Method<?, R> method, CallOptions options, byte[] request) {
    this.method = method;
    position = options.position();
    call = new Call(channel, method, options, request, new Listener());
    channel.submit(() -> channel.start(call));
  }

  private final class Listener implements Call.Listener {
    @Override
    public void onMessage(byte[] message, int charge) {
      put(new Item(message, charge));
    }

    @Override
    public void onEnd(RpcException failure, List<Metadata> first, List<Metadata> last) {
      synchronized (ReplyStream.this) {
        hasEnded = true;
        error = failure;
        initial = first;
        trailing = failure != null ? failure.metadata() : last;
        // A single reply is one only if the call ends OK.
        if (!method.replyStreams() && failure != null) items.clear();
        ReplyStream.this.notifyAll();
      }
      publish();
    }

    @Override
    public void onRoom() {
      synchronized (ReplyStream.this) {
        hasRoom = call.hasRoom();
        ReplyStream.this.notifyAll();
      }
    }
  }

  private void put(Item item) {
    synchronized (this) {
      items.add(item);
      notifyAll();
    }
    publish();
  }

  /**
   * Waits for the next message.
   *
   * @return null at the end
   * @throws InterruptedException if this thread is interrupted; the call goes on
   * @throws RpcException if the call did not end OK
   */
  public R next() throws InterruptedException {
    Item item;
    synchronized (this) {
      while (!isReady() && !hasEnded) wait();
      item = isReady() ? items.poll() : null;
      if (item == null) {
        if (error != null) throw error.atCaller();
        return null;
      }
    }
    return take(item);
  }

  private boolean isReady() {
    return !items.isEmpty() && (method.replyStreams() || hasEnded);
  }

  private R take(Item item) {
    R message;
    CallOptions.Position reached = null;
    try {
      if (!WireCheck.passes(item.message, method.parser())) throw new InvalidProtocolBufferException("section 4.1");
      message = method.parser().parseFrom(item.message);
      if (method.isWatch()) {
        Message full = (Message) message;
        WatchSpan span = (WatchSpan) full.getField(full.getDescriptorForType().findFieldByName("span"));
        if (!span.getIncomplete()) reached = new CallOptions.Position(span.getUpto(), span.getStoreEpoch());
      }
    } catch (InvalidProtocolBufferException fault) {
      cancel();
      throw RpcException.client(StatusCode.INTERNAL, "a message of the reply does not decode");
    }
    if (reached != null) position = reached;
    CallOptions.Position behind = reached;
    call.channel.submit(() -> call.took(item.charge, behind));
    return message;
  }

  /** {@return the position behind the last message of a watch that is not inside a snapshot; null: none} */
  public CallOptions.Position position() {
    return position;
  }

  /** {@return the metadata in front of the messages, once the call has ended} */
  public synchronized List<Metadata> initialMetadata() {
    return initial;
  }

  /** {@return the metadata behind the messages, once the call has ended} */
  public synchronized List<Metadata> trailingMetadata() {
    return trailing;
  }

  /** Ends the call CANCELLED here and at the server. */
  public void cancel() {
    call.channel.submit(() -> call.stop(StatusCode.CANCELLED, "the call was cancelled"));
  }

  @Override
  public void close() {
    cancel();
  }

  @Override
  public Iterator<R> iterator() {
    return new Iterator<>() {
      private R following;
      private boolean isOver;

      @Override
      public boolean hasNext() {
        try {
          if (following == null && !isOver) following = ReplyStream.this.next();
        } catch (InterruptedException stopped) {
          Thread.currentThread().interrupt();
          cancel();
          throw RpcException.client(StatusCode.CANCELLED, "the thread was interrupted");
        }
        isOver = following == null;
        return !isOver;
      }

      @Override
      public R next() {
        if (!hasNext()) throw new NoSuchElementException();
        R found = following;
        following = null;
        return found;
      }
    };
  }

  // ---- Flow

  private final class Subscription implements Flow.Subscription {
    final Flow.Subscriber<? super R> subscriber;
    long demand;
    boolean isCancelled, isPublishing;

    Subscription(Flow.Subscriber<? super R> subscriber) {
      this.subscriber = subscriber;
    }

    @Override
    public void request(long count) {
      synchronized (ReplyStream.this) {
        demand = count <= 0 || demand + count < 0 ? Long.MAX_VALUE : demand + count;
      }
      call.channel.submit(ReplyStream.this::publish);
    }

    @Override
    public void cancel() {
      isCancelled = true;
      ReplyStream.this.cancel();
    }
  }

  /** Messages reach the subscriber on the thread of the client, which it must not block. */
  @Override
  public void subscribe(Flow.Subscriber<? super R> subscriber) {
    Subscription made = new Subscription(subscriber);
    synchronized (this) {
      if (subscription != null) throw new IllegalStateException("a stream has one subscriber");
      subscription = made;
    }
    subscriber.onSubscribe(made);
    call.channel.submit(this::publish);
  }

  /** Gives the subscriber what it has asked for; on the thread of the client. */
  private void publish() {
    Subscription mine = subscription;
    if (mine == null || mine.isPublishing) return;
    mine.isPublishing = true;
    try {
      while (!mine.isCancelled) {
        Item item;
        boolean isOver;
        synchronized (this) {
          item = mine.demand > 0 && isReady() ? items.poll() : null;
          isOver = hasEnded && items.isEmpty() && item == null;
          if (item != null) mine.demand--;
        }
        if (item != null) {
          mine.subscriber.onNext(take(item));
        } else {
          if (!isOver) return;
          mine.isCancelled = true;
          if (error != null) mine.subscriber.onError(error);
          else mine.subscriber.onComplete();
        }
      }
    } catch (RuntimeException fault) {
      mine.isCancelled = true;
      cancel();
      mine.subscriber.onError(fault);
    } finally {
      mine.isPublishing = false;
    }
  }

  // ---- For request streams

  void sendBytes(byte[] message) throws InterruptedException {
    synchronized (this) {
      while (!hasRoom && !hasEnded) wait();
      if (hasEnded) throw error != null ? error.atCaller() : RpcException.client(StatusCode.CANCELLED, "the call has ended");
      // The room is counted again when the message is queued.
      hasRoom = false;
    }
    call.channel.submit(() -> {
      call.send(message);
      synchronized (this) {
        hasRoom = call.hasRoom();
        notifyAll();
      }
    });
  }
}
