/**
 * What the app's pages may load and do (design, ux 4): their own files and the local API. The one style element that
 * the components add carries the nonce of the answer; `wasm-unsafe-eval` compiles modules, it evaluates no text.
 */
export const pagePolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' blob: data:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "media-src 'self' blob:",
    "frame-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

/** The page with the nonce where the components read it. */
export const withNonce = (page: string, nonce: string): string => page.replaceAll("%CSP_NONCE%", nonce);
