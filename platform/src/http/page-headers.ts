/**
 * Returns the content security policy of a page that loads from and sends to its own origin only. Its scripts
 * may set styles of elements.
 *
 * @param more - further directives, such as `worker-src 'self'`
 */
export const ownOriginPolicy = (...more: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "font-src 'self' data:",
    "img-src 'self' data:",
    "connect-src 'self'",
    ...more,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** Security headers of every page and of its files. */
export const pageHeaders = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' } as const;
