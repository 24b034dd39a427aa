/** What OpenSSL and Node call a certificate that they do not accept. */
const untrusted = /^(CERT_|ERR_TLS_|UNABLE_TO_|INVALID_CA$|INVALID_PURPOSE$|HOSTNAME_MISMATCH$)|SELF_SIGNED/;

/** Whether a network error says that the certificate is not trusted: nothing was sent then. */
export const isUntrusted = (code: string): boolean => untrusted.test(code);
