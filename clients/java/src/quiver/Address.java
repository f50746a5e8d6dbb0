package quiver;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;

/** Where a server is: `HOST:PORT`, `[IPv6]:PORT`, `unix:PATH` or `tls://HOST:PORT`. */
record Address(String host, int port, String path, boolean isTls) {
  static Address parse(String text) {
    boolean isTls = text.startsWith("tls://");
    String rest = isTls || text.startsWith("tcp://") ? text.substring(6) : text;
    if (rest.startsWith("unix:") && rest.length() > 5 && !isTls) {
      return new Address("", 0, rest.substring(5), false);
    }
    int colon = rest.lastIndexOf(':');
    String host = colon > 0 ? rest.substring(0, colon) : "";
    String port = rest.substring(colon + 1);
    if (host.startsWith("[") && host.endsWith("]")) host = host.substring(1, host.length() - 1);
    else if (host.contains(":")) host = "";
    if (host.isEmpty() || !port.matches("[0-9]{1,5}") || Integer.parseInt(port) < 1
        || Integer.parseInt(port) > 65535) {
      throw new IllegalArgumentException(
          text + " is no address: use HOST:PORT, [IPv6]:PORT, unix:PATH or tls://HOST:PORT");
    }
    return new Address(host, Integer.parseInt(port), null, isTls);
  }

  /** Whether bytes to it stay on this machine. */
  boolean isLocal() {
    return path != null || host.equals("localhost") || host.equals("::1") || host.startsWith("127.");
  }

  /** Whether there is no name to look up. */
  boolean isNumeric() {
    return path != null || host.matches("[0-9.]+|.*:.*");
  }

  /** The addresses of the host; a name is looked up, which may wait. */
  List<SocketAddress> resolve() throws UnknownHostException {
    if (path != null) return List.of(UnixDomainSocketAddress.of(path));
    List<SocketAddress> found = new ArrayList<>();
    for (InetAddress one : InetAddress.getAllByName(host)) found.add(new InetSocketAddress(one, port));
    return found;
  }

  @Override
  public String toString() {
    return path != null ? "unix:" + path : host + ":" + port;
  }
}
