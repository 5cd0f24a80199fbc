import { monitorEventLoopDelay } from 'node:perf_hooks';

interface ImportFigures {
  readonly maxRssMegabytes: number;
  /** How long the event loop could not serve another request, since the measuring began. */
  readonly delayMs: { readonly p99: number; readonly max: number };
}

const RESOLUTION_MS = 5;

/** Begins to measure this process; the function that it returns says what was found, as a line of JSON. */
export function measureProcess(): () => string {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const ms = (nanoseconds: number) => nanoseconds / 1e6 - RESOLUTION_MS;
  return () => {
    const figures: ImportFigures = {
      maxRssMegabytes: process.resourceUsage().maxRSS / 1024,
      delayMs: { p99: ms(delay.percentile(99)), max: ms(delay.max) },
    };
    return `${JSON.stringify(figures)}\n`;
  };
}

/** Prints such a line for people. */
export function printFigures(line: string): void {
  const { maxRssMegabytes, delayMs } = JSON.parse(line) as ImportFigures;
  const { p99, max } = delayMs;
  console.log(`most memory of the process: ${maxRssMegabytes.toFixed(0)} MB`);
  console.log(`other requests waited: 99th percentile ${p99.toFixed(0)} ms, at most ${max.toFixed(0)} ms`);
}
