// How this window authenticates to the local API. Browser: exchanges a one-time code in the URL fragment for a session
// cookie. Desktop window: the main process adds the credential to each request.

const csrfKey = "carrel.csrf";

const sessionPath = "/api/sync/session";

/** Exchanges the one-time code of the address, if any, and removes it from the address. */
async function exchangeCode(): Promise<Response | undefined> {
  const code = new URLSearchParams(location.hash.slice(1)).get("t");
  if (!code) return undefined;
  history.replaceState(null, "", location.pathname + location.search);
  const headers = { "Content-Type": "application/json" };
  // The code works once, so the request must complete even if the page is left.
  return fetch(sessionPath, { method: "POST", headers, body: JSON.stringify({ code }), keepalive: true });
}

/**
 * Opens a session with the code of the address, or finds the existing one. An earlier page may have been left before it
 * got the CSRF token.
 */
export async function startSession(): Promise<void> {
  const opened = await exchangeCode();
  const response = opened?.ok ? opened : await fetch(sessionPath, { cache: "no-store" });
  if (!response.ok) return;
  const { csrf_token } = (await response.json()) as { csrf_token: string | null };
  if (csrf_token !== null) localStorage.setItem(csrfKey, csrf_token);
}

/** Extra headers for a request that changes something. */
export function sessionHeaders(method: string): Record<string, string> {
  if (method === "GET" || method === "HEAD") return {};
  const token = localStorage.getItem(csrfKey);
  return token ? { "X-CSRFToken": token } : {};
}
