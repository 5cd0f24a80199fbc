/** Security headers of every page, and of the files that it loads. */
export const pageHeaders = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' } as const;
