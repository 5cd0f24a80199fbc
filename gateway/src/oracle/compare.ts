import { compare } from './report.fixture.ts';
import { buildWorld } from './world.fixture.ts';
import { worlds } from './worlds.fixture.ts';

/**
 * Long comparisons:
 * `node gateway/src/oracle/compare.ts [operations a world] [seed] [world] [differences shown]`.
 * Prints one line per world and its differences; exits with 1 if there are differences.
 */
const [count = '5000', seed = '1', only = '', differencesMax = '3'] = process.argv.slice(2);
for (const source of worlds.filter(({ name }) => name.startsWith(only))) {
  const { differences, ...tally } = await compare(
    buildWorld(source),
    Number(seed),
    Number(count),
    Number(differencesMax),
  );
  for (const difference of differences) process.stdout.write(`${difference}\n\n`);
  process.stdout.write(`${source.name} ${JSON.stringify({ ...tally, differences: differences.length })}\n`);
  if (differences.length > 0) process.exitCode = 1;
}
