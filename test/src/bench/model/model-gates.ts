import { parseArgs } from 'node:util';
import { permuted, predictable, requestOf } from '@loyalty/model-subgraph/training/learning/samples.given';
import { trainSamples } from '@loyalty/model-subgraph/training/learning/train-samples';

const help = `Trains on samples with permuted targets, about which features say nothing, and counts how often
all gates are passed nevertheless.

  npm run model:gates -- [return] [item] [basket] [tier]   Default: all of them
  --runs <count>                                           of each task. Default: 20

Ends with 1 where permuted targets pass, or targets as they were made do not.`;

/** What can be trained: content that passes, and the same content with its targets in another order. */
interface GatedSubject {
  readonly passes: (seed: number | null) => boolean;
}

const task = (name: 'return' | 'item' | 'basket' | 'tier'): GatedSubject => {
  const content = predictable(name, { entities: 600, dates: 4 });
  const passes = (seed: number | null): boolean => {
    const request = requestOf(name, seed === null ? content : permuted(content, seed));
    return trainSamples(request, () => undefined).passed;
  };
  return { passes };
};

const subjects: Readonly<Record<string, () => GatedSubject>> = {
  return: () => task('return'),
  item: () => task('item'),
  basket: () => task('basket'),
  tier: () => task('tier'),
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: 'string', default: '20' }, help: { type: 'boolean', short: 'h' } },
});

if (values.help) console.log(help);
else {
  const wanted = positionals.length > 0 ? positionals : Object.keys(subjects);
  for (const name of wanted) {
    if (!subjects[name])
      throw new Error(`There is no subject ${name}: choose of ${Object.keys(subjects).join(', ')}.`);
    if (!count(name, subjects[name](), Number(values.runs))) process.exitCode = 1;
  }
}

/** True where permuted targets never pass, and those that were not permuted do. */
function count(name: string, { passes }: GatedSubject, runs: number): boolean {
  const isPassed = passes(null);
  const permutedPassed = Array.from({ length: runs }, (_, run) => passes(run + 1)).filter(Boolean).length;
  const own = isPassed ? 'passes' : 'DOES NOT PASS';
  console.log(
    `${name.padEnd(10)} ${own}; with permuted targets it passes ${permutedPassed} of ${runs} times`,
  );
  return isPassed && permutedPassed === 0;
}
