/** The reason for which the embedded database cannot run, as one sentence that names the correction. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}

/**
 * Returns the `code` of a system error such as ENOENT; '' for other errors. Works across realms, which Jest
 * has.
 */
export function systemErrorCode(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : '';
  return typeof code === 'string' ? code : '';
}

/** Returns the message of an error on one line; for several attempts, each of their messages. */
export function reasonOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  if ('errors' in error && Array.isArray(error.errors)) return error.errors.map(reasonOf).join(', ');
  const message = 'message' in error ? String(error.message) : '';
  return (message || systemErrorCode(error) || String(error)).trim().replaceAll(/\s*\n\s*/g, ' ');
}

/** Throws if the start was aborted. @throws EmbeddedPostgresError */
export function throwIfInterrupted(signal: AbortSignal | undefined): void {
  if (!signal?.aborted) return;
  throw new EmbeddedPostgresError(
    'The start of the embedded database was interrupted; start again, there is nothing to clean up.',
  );
}
