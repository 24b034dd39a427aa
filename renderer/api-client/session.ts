// The only file that knows how this window proves itself to the local API.
// Browser: the address carries a one-time code in its fragment, exchanged for a session cookie.
// Desktop window: the main process adds the credential to each request; there is nothing to do here.

const csrfKey = "carrel.csrf";

/** Exchanges the one-time code of the address, when there is one, and takes it out of the address. */
export async function startSession(): Promise<void> {
  const code = new URLSearchParams(location.hash.slice(1)).get("t");
  if (!code) return;
  history.replaceState(null, "", location.pathname + location.search);
  const response = await fetch("/api/sync/session", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ code }),
  });
  if (!response.ok) return;
  const { csrf_token } = (await response.json()) as { csrf_token: string };
  localStorage.setItem(csrfKey, csrf_token);
}

/** Headers that a changing request needs besides its own. */
export function sessionHeaders(method: string): Record<string, string> {
  if (method === "GET" || method === "HEAD") return {};
  const token = localStorage.getItem(csrfKey);
  return token ? { "X-CSRFToken": token } : {};
}
