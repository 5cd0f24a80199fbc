/**
 * Loaded into every measured process before its own code: tells the bench what the process has used so far,
 * whichever gateway it is.
 */
export interface Usage {
  readonly cpuMs: number;
  readonly rssBytes: number;
  /** What is alive after a garbage collection; null where the process was started without `--expose-gc`. */
  readonly heapBytes: number | null;
}

process.on('message', (message) => {
  if (message !== 'usage') return;
  const { user, system } = process.cpuUsage();
  const { rss } = process.memoryUsage();
  globalThis.gc?.();
  const heapBytes = globalThis.gc ? process.memoryUsage().heapUsed : null;
  process.send?.({ cpuMs: (user + system) / 1_000, rssBytes: rss, heapBytes } satisfies Usage);
});
// Nobody else would end it when the bench is killed.
process.once('disconnect', () => process.exit());
process.channel?.unref();
