export interface Closing {
  /** Adds a function that runs at the end. */
  add(end: () => unknown): void;
  /** Runs the added functions, the newest first, then `last`. A failure does not stop the others. */
  run(last: () => unknown): Promise<void>;
}

/**
 * Closes what a test file has opened, in reverse order. Several `afterAll` hooks would run in the order of
 * their definition.
 */
export function createClosing(): Closing {
  const ends: (() => unknown)[] = [];
  return {
    add: (end) => void ends.push(end),
    async run(last) {
      const failures: unknown[] = [];
      for (const end of [...ends.toReversed(), last]) {
        try {
          await end();
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) throw new AggregateError(failures, 'What a test file opened did not close.');
    },
  };
}
