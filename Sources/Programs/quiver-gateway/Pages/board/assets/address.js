// The address by which phones reach the pages.

/** Whether an address leads to the machine on which it is opened, and to no other. */
export function isLoopback(/** @type {string} */ address) {
  try {
    return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(address).hostname);
  } catch { return false; }
}

/** What the gateway says of it (--public-url); else the address of this page. */
export const knownAddress = () =>
  /** @type {HTMLMetaElement | null} */ (document.querySelector('meta[name="quiver-address"]'))?.content || location.origin;
