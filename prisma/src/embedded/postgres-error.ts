/** What keeps the embedded database from running, as one sentence that says what to do about it. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}

/**
 * The `code` of a system error such as ENOENT; '' for anything else. Works across realms, as Jest has them.
 */
export function systemErrorCode(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : '';
  return typeof code === 'string' ? code : '';
}

/** What an error says, on one line; of several attempts what each says. */
export function reasonOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  if ('errors' in error && Array.isArray(error.errors)) return error.errors.map(reasonOf).join(', ');
  const message = 'message' in error ? String(error.message) : '';
  return (message || systemErrorCode(error) || String(error)).trim().replaceAll(/\s*\n\s*/g, ' ');
}

/** Ends a start that its caller has given up. @throws EmbeddedPostgresError when the signal is aborted */
export function throwIfInterrupted(signal: AbortSignal | undefined): void {
  if (!signal?.aborted) return;
  throw new EmbeddedPostgresError(
    'The start of the embedded database was interrupted; start again, there is nothing to clean up.',
  );
}
