/** Security headers of every page and of its files. */
export const pageHeaders = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' } as const;
