import { print } from 'graphql';
import { printPlan } from './apollo.fixture.ts';
import type { ExecutorOutcome } from './case.fixture.ts';
import { check, type Difference } from './check.fixture.ts';
import { differences } from './comparison.fixture.ts';
import { operationsOf } from './operations.fixture.ts';
import { reduce } from './reduce.fixture.ts';
import type { World } from './world.fixture.ts';

/** The result of comparing many operations of one world. */
export interface Tally {
  operations: number;
  /** Operations that cannot be planned, or are planned wrongly, for Apollo and for our executor. */
  plannerWrong: number;
  /** Operations that Apollo answers wrongly without any fault. */
  apolloWrong: number;
  comparedUnderFaults: number;
  /** Texts about the differences, each on its smallest operation. */
  readonly differences: string[];
}

/**
 * Compares operations of one world; the same seed gives the same operations.
 *
 * @param differencesMax - stops after this many differences, each of which is reduced
 */
export async function compare(world: World, seed: number, count: number, differencesMax = 3): Promise<Tally> {
  const tally: Tally = {
    operations: 0,
    plannerWrong: 0,
    apolloWrong: 0,
    comparedUnderFaults: 0,
    differences: [],
  };
  for (const [index, operation] of operationsOf(world, seed, count).entries()) {
    const faultSeed = seed * 1_000_003 + index;
    const verdict = await check(world, operation, faultSeed);
    tally.operations += 1;
    if (verdict.isPlannerWrong) tally.plannerWrong += 1;
    else if (verdict.isApolloWrong) tally.apolloWrong += 1;
    if (verdict.isComparedUnderFaults) tally.comparedUnderFaults += 1;
    if (verdict.difference) {
      tally.differences.push(await smallest(world, verdict.difference, faultSeed));
      if (tally.differences.length >= differencesMax) break;
    }
  }
  return tally;
}

async function smallest(world: World, difference: Difference, faultSeed: number): Promise<string> {
  let found = difference;
  await reduce(world.supergraph.schema, difference.operation, async (smaller) => {
    const { difference: left } = await check(world, smaller, faultSeed);
    if (left?.faults.every !== difference.faults.every || left.found[0] === undefined) return false;
    if (kindOf(left) !== kindOf(difference)) return false;
    found = left;
    return true;
  });
  return describe(world, found);
}

/** Returns the kind of difference, without its place. */
const kindOf = ({ found }: Difference): string => found[0]?.split(/ (at|request)/)[0] ?? '';

function describe(world: World, difference: Difference): string {
  const { operation, faults, found, right, apollo, ours } = difference;
  const isShared = differences(apollo, ours).length === 0;
  return [
    `On ${world.name}: ${found.join('; ')}${isShared ? ' (Apollo is the same)' : ''}`,
    print(operation.document),
    `variables: ${JSON.stringify(operation.variables)}, operation: ${operation.operationName ?? '-'}`,
    `faults: every ${faults.every}, seed ${faults.seed}, ${JSON.stringify([...faults.outages])}`,
    printPlan(world, operation),
    `without faults: ${outcomeText(right)}`,
    `Apollo: ${outcomeText(apollo)}`,
    `ours: ${outcomeText(ours)}`,
  ].join('\n');
}

const outcomeText = ({ data, errors, violations, mutations, invalid }: ExecutorOutcome): string =>
  JSON.stringify({ data, errors, violations, mutations, invalid }, null, 1).replaceAll(/\n\s*/g, ' ');
