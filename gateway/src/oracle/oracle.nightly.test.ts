import { describe, expect, test } from '@jest/globals';
import { compare } from './report.fixture.ts';
import { buildWorld } from './world.fixture.ts';
import { worlds } from './worlds.fixture.ts';

const OPERATIONS_PER_WORLD = 3_000;
const SEED = Number(process.env['LOYALTY_TEST_SEED'] ?? 2);
const TIMEOUT_MS = 1_200_000;

describe.each(worlds)('On the supergraph $name', (source) => {
  test(
    `${OPERATIONS_PER_WORLD} operations of another seed are answered rightly, and fail as with Apollo`,
    async () => {
      const tally = await compare(buildWorld(source), SEED, OPERATIONS_PER_WORLD);
      expect([`seed ${SEED}`, tally.differences.join('\n\n')]).toEqual([`seed ${SEED}`, '']);
      expect(tally.operations).toBe(OPERATIONS_PER_WORLD);
      expect(tally.comparedUnderFaults).toBeGreaterThan(OPERATIONS_PER_WORLD / 4);
      expect(tally.plannerWrong / tally.operations).toBeLessThan(source.plannerFaultsMax / 100);
    },
    TIMEOUT_MS,
  );
});
