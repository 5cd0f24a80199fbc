/**
 * Loaded into every measured process before its own code: tells the bench what the process has used so far,
 * whichever gateway it is.
 */
export interface Usage {
  readonly cpuMs: number;
  readonly rssBytes: number;
  /** What is alive after a garbage collection, if that was asked for. */
  readonly heapBytes: number | null;
}

/** A look at the heap collects garbage first, which slows what comes next: not while rates are measured. */
export type Look = 'usage' | 'memory';

process.on('message', (look: Look) => {
  if (look !== 'usage' && look !== 'memory') return;
  const { user, system } = process.cpuUsage();
  const { rss } = process.memoryUsage();
  if (look === 'memory') globalThis.gc?.();
  const heapBytes = look === 'memory' ? process.memoryUsage().heapUsed : null;
  process.send?.({ cpuMs: (user + system) / 1_000, rssBytes: rss, heapBytes } satisfies Usage);
});
// Nobody else would end it when the bench is killed.
process.once('disconnect', () => process.exit());
process.channel?.unref();
