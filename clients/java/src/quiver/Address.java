package quiver;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Where a server is: `HOST:PORT`, `[IPv6]:PORT`, `unix:PATH` or `tls://HOST:PORT`. */
record Address(String host, int port, String path, boolean isTls) {
  private static final String LOCALHOST = "localhost";
  private static final String BYTE = "(25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])";
  private static final Pattern IPV4 = Pattern.compile(BYTE + "(\\." + BYTE + "){3}");

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
    if (path != null || host.equals(LOCALHOST)) return true;
    try {
      return isNumeric() && InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException error) {
      return false;
    }
  }

  /** Whether there is no name to look up. */
  boolean isNumeric() {
    return path != null || host.contains(":") || IPV4.matcher(host).matches();
  }

  /** The addresses of the host; a name is looked up, which may wait. */
  List<SocketAddress> resolve() throws UnknownHostException {
    if (path != null) return List.of(UnixDomainSocketAddress.of(path));
    List<InetAddress> found = List.of(InetAddress.getAllByName(host));
    // The name is local without a certificate that says so: what it resolves to must be as well.
    if (host.equals(LOCALHOST) && !isTls) found = loopback(found);
    List<SocketAddress> made = new ArrayList<>();
    for (InetAddress one : found) made.add(new InetSocketAddress(one, port));
    return made;
  }

  /** The addresses of this machine among those of localhost. */
  static List<InetAddress> loopback(List<InetAddress> found) throws UnknownHostException {
    List<InetAddress> local = found.stream().filter(InetAddress::isLoopbackAddress).toList();
    if (local.isEmpty()) throw new UnknownHostException(LOCALHOST + " is an address of another machine");
    return local;
  }

  @Override
  public String toString() {
    return path != null ? "unix:" + path : host + ":" + port;
  }
}
