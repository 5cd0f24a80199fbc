/**
 * Loaded into every measured process before its own code. It answers the bench with what the
 * process has used so far, whichever gateway it is.
 */
export interface Usage {
  readonly cpuMs: number;
  readonly rssBytes: number;
  /** Memory in use after a garbage collection; null unless `memory` was requested. */
  readonly heapBytes: number | null;
}

/** `memory` collects garbage first, which slows the process down: not for use while rates are measured. */
export type UsageRequest = 'usage' | 'memory';

process.on('message', (request: UsageRequest) => {
  if (request !== 'usage' && request !== 'memory') return;
  const { user, system } = process.cpuUsage();
  const { rss } = process.memoryUsage();
  if (request === 'memory') globalThis.gc?.();
  const heapBytes = request === 'memory' ? process.memoryUsage().heapUsed : null;
  process.send?.({ cpuMs: (user + system) / 1_000, rssBytes: rss, heapBytes } satisfies Usage);
});
// Ends this process when the bench is killed.
process.once('disconnect', () => process.exit());
process.channel?.unref();
