// The only file that knows how this window proves itself to the local API.
// Browser: the address carries a one-time code in its fragment, exchanged for a session cookie.
// Desktop window: the main process adds the credential to each request; there is nothing to do here.

const csrfKey = "carrel.csrf";

const sessionPath = "/api/sync/session";

/** Exchanges the one-time code of the address, when there is one, and takes it out of the address. */
async function exchangeCode(): Promise<Response | undefined> {
  const code = new URLSearchParams(location.hash.slice(1)).get("t");
  if (!code) return undefined;
  history.replaceState(null, "", location.pathname + location.search);
  const headers = { "Content-Type": "application/json" };
  // Works once: the cookie is to arrive even if the page is left meanwhile.
  return fetch(sessionPath, { method: "POST", headers, body: JSON.stringify({ code }), keepalive: true });
}

/**
 * Opens the session of this window by the code of its address, or finds the one that it has: an earlier page may have
 * been left before it heard of the CSRF token.
 */
export async function startSession(): Promise<void> {
  const opened = await exchangeCode();
  const response = opened?.ok ? opened : await fetch(sessionPath, { cache: "no-store" });
  if (!response.ok) return;
  const { csrf_token } = (await response.json()) as { csrf_token: string | null };
  if (csrf_token !== null) localStorage.setItem(csrfKey, csrf_token);
}

/** Headers that a changing request needs besides its own. */
export function sessionHeaders(method: string): Record<string, string> {
  if (method === "GET" || method === "HEAD") return {};
  const token = localStorage.getItem(csrfKey);
  return token ? { "X-CSRFToken": token } : {};
}
