import type { Log } from '@loyalty/platform/observe/log';

/** The logger of Apollo's packages. Only their warnings and errors are logged. */
export const warningsOnly = (log: Log) => ({
  debug: () => undefined,
  info: () => undefined,
  warn: (message?: unknown) => log.warn(String(message)),
  error: (message?: unknown) => log.error(String(message)),
});
