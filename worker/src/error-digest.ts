import { MINUTE_MS } from '@loyalty/platform/base/clock';
import type { Log } from '@loyalty/platform/observe/log';

/** Maximum of reasons that one line names; further ones are counted together. */
const REASONS_MAX = 20;

/**
 * Summarizes errors that occur in large numbers. For example, all polls fail while the database is
 * unavailable.
 */
export interface ErrorDigest {
  report(error: unknown): void;
  /** Logs the errors that were only counted so far. */
  close(): void;
}

/**
 * Logs the first error at once. The errors of the next minute are counted by reason and logged together at
 * its end, and so on until a minute without errors.
 */
export function createErrorDigest(
  log: Pick<Log, 'error'>,
  sentence: string,
  everyMs = MINUTE_MS,
): ErrorDigest {
  let timer: NodeJS.Timeout | null = null;
  let reasons: Record<string, number> = {};
  let count = 0;
  let last: unknown;

  function write(): void {
    log.error({ err: last, reasons, count }, sentence);
    reasons = {};
    count = 0;
  }
  function endOfMinute(): void {
    timer = null;
    if (count === 0) return;
    write();
    wait();
  }
  function wait(): void {
    timer = setTimeout(endOfMinute, everyMs).unref();
  }
  return {
    report(error) {
      const reason = reasonOf(error);
      const isNamed = reason in reasons || Object.keys(reasons).length < REASONS_MAX;
      const known = isNamed ? reason : 'other';
      reasons[known] = (reasons[known] ?? 0) + 1;
      count += 1;
      last = asError(error);
      if (timer !== null) return;
      write();
      wait();
    },
    close() {
      if (timer !== null) clearTimeout(timer);
      timer = null;
      if (count > 0) write();
    },
  };
}

/** pg-boss reports errors as plain objects with their fields. */
function asError(error: unknown): unknown {
  const { message, code } = (error ?? {}) as { message?: string; code?: string };
  return message === undefined || Error.isError(error) ? error : Object.assign(new Error(message), { code });
}

/** Returns a code, so that the line contains no personal data; the message of the error itself is masked. */
function reasonOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: string; name?: string };
  return [code, name].find((each) => typeof each === 'string') ?? 'unknown';
}
