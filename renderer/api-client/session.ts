import { has } from "./host.ts";

// How this window authenticates to the API. On a server: the session cookie of the sign-in page, and a readable cookie
// with the CSRF token. On a replica in a browser: exchanges a one-time code in the URL fragment for a session
// cookie. Desktop window: the main process adds the credential to each request.

const csrfKey = "carrel.csrf";

const sessionPath = "/api/sync/session";

const codeOfAddress = () => new URLSearchParams(location.hash.slice(1)).get("t");

/** Whether this window gets its session from a one-time code. */
export const hasCode = (): boolean => codeOfAddress() !== null;

/** Exchanges the one-time code of the address, if any, and removes it from the address. */
async function exchangeCode(): Promise<Response | undefined> {
  const code = codeOfAddress();
  if (!code) return undefined;
  // The state has the key of the page, by which Back finds its scroll place.
  history.replaceState(history.state, "", location.pathname + location.search);
  const headers = { "Content-Type": "application/json" };
  // The code works once, so the request must complete even if the page is left.
  return fetch(sessionPath, { method: "POST", headers, body: JSON.stringify({ code }), keepalive: true });
}

/**
 * Opens a session with the code of the address, or finds the existing one. An earlier page may have been left before it
 * got the CSRF token.
 */
export async function startSession(): Promise<void> {
  if (has("sign_in")) return;
  const opened = await exchangeCode();
  const response = opened?.ok ? opened : await fetch(sessionPath, { cache: "no-store" });
  if (!response.ok) return;
  const { csrf_token } = (await response.json()) as { csrf_token: string | null };
  if (csrf_token !== null) localStorage.setItem(csrfKey, csrf_token);
}

const cookieOf = (name: string): string | undefined =>
  document.cookie
    .split("; ")
    .find((text) => text.startsWith(`${name}=`))
    ?.slice(name.length + 1);

/** Where a signed-out user signs in, to come back to this page. */
export const signInAddress = (): string =>
  `/sign-in?next=${encodeURIComponent(location.pathname + location.search + location.hash)}`;

const refusals = new EventTarget();

/** Called with each refusal that may mean that the session has ended. */
export const noteRefusal = (status: number): void => {
  if (has("sign_in") && (status === 401 || status === 403)) refusals.dispatchEvent(new Event("refused"));
};
export function onRefusal(listener: () => void): () => void {
  refusals.addEventListener("refused", listener);
  return () => refusals.removeEventListener("refused", listener);
}

/** Ends the session, and leads to the public pages. */
export async function signOut(): Promise<void> {
  await fetch("/sign-out", { method: "POST", headers: { "Content-Type": "application/x-www-form-urlencoded" } });
  location.assign("/");
}

/** Extra headers for a request that changes something. */
export function sessionHeaders(method: string): Record<string, string> {
  if (method === "GET" || method === "HEAD") return {};
  const token = has("sign_in") ? cookieOf("csrftoken") : localStorage.getItem(csrfKey);
  return token ? { "X-CSRFToken": token } : {};
}
