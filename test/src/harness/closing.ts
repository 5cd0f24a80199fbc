export interface Closing {
  /** Keeps an act until the end. */
  add(end: () => unknown): void;
  /** Runs what was added, the latest first, then `last`, also when one of them fails. */
  run(last: () => unknown): Promise<void>;
}

/** Jest runs `afterAll` in the order of definition, so what was opened last would be closed last. */
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
