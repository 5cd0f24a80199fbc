import { describe, expect, test } from '@jest/globals';
import { compare } from './report.fixture.ts';
import { buildWorld } from './world.fixture.ts';
import { worlds } from './worlds.fixture.ts';

/** Takes about twenty seconds. Longer runs with other seeds: `npm run test:nightly`, or `compare.ts`. */
const OPERATIONS_PER_WORLD = 150;
const SEED = 1;
const TIMEOUT_MS = 120_000;

describe.each(worlds)('On the supergraph $name', (source) => {
  test(
    `${OPERATIONS_PER_WORLD} generated operations are answered rightly, and fail as with Apollo`,
    async () => {
      const tally = await compare(buildWorld(source), SEED, OPERATIONS_PER_WORLD);
      expect(tally.differences.join('\n\n')).toBe('');
      expect(tally.operations).toBe(OPERATIONS_PER_WORLD);
      expect(tally.comparedUnderFaults).toBeGreaterThan(OPERATIONS_PER_WORLD / 3);
      expect(tally.plannerWrong / tally.operations).toBeLessThan(source.plannerFaultsMax / 100);
    },
    TIMEOUT_MS,
  );
});
