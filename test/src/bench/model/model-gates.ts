import { parseArgs } from 'node:util';
import { fitOwnHistory } from '@loyalty/model-subgraph/alignment/fit-own-history';
import {
  cartMembers,
  indistinctMembers,
  lapsingMembers,
  windowsOf,
} from '@loyalty/model-subgraph/alignment/generated-histories.fixture';
import { permutedTargets } from '@loyalty/model-subgraph/estimators/permuted-targets';
import { fitAlignment } from '@loyalty/model-subgraph/pipelines/align';
import { alignmentCsv } from '@loyalty/model-subgraph/pipelines/alignment.fixture';
import { predictable, requestOf } from '@loyalty/model-subgraph/pipelines/samples.fixture';
import { trainSamples } from '@loyalty/model-subgraph/pipelines/train-samples';

const help = `Trains on samples with permuted targets, and on histories in which everybody behaves alike:
features say nothing about them. Counts how often all gates are passed nevertheless.

  npm run model -- gates [subject] …   Default: all of them: return, item, basket, tier and, of purchase,
                                       churn and abandonment, alignment-<target> and history-<target>
  --runs <count>                       of each subject. Default: 20

Ends with 1 where noise passes, or what can be predicted does not.`;

/**
 * Trains one kind of model and returns whether it passes its gates. With a seed the labels are noise; with
 * null they can be predicted.
 */
type GatedSubject = (seed: number | null) => boolean;

const config = { origin: 'live', horizon: 30, ruleVersion: null, definition: null } as const;
const DATE = '2026-06-01T00:00:00.000Z';

function task(name: 'return' | 'item' | 'basket' | 'tier'): GatedSubject {
  const content = predictable(name, { entities: 600, dates: 4 });
  return (seed) => {
    const request = requestOf(name, seed === null ? content : permutedTargets(content, seed));
    return trainSamples(request, () => undefined).passed;
  };
}

type Target = 'purchase' | 'churn' | 'abandonment';

function alignment(subject: Target): GatedSubject {
  const purchases = alignmentCsv();
  // The label of the other subjects is the opposite: that nothing was bought.
  const content = subject === 'purchase' ? purchases : withOppositeTargets(purchases);
  return (seed) => {
    const given = seed === null ? content : permutedTargets(content, seed);
    const request = { subject, config, content: given, uploadedAt: DATE, base: null };
    return fitAlignment(request, () => undefined).passed;
  };
}

const withOppositeTargets = (content: string): string =>
  content.replace(/","([01])","\[\[/g, (_, target: string) => `","${1 - Number(target)}","[[`);

function history(target: Target): GatedSubject {
  const size = { members: 1_200, days: 500 };
  const made = (seed: number | null) => {
    if (target === 'abandonment')
      return cartMembers({ ...size, seed: seed ?? 7 }, (random) =>
        seed === null ? 0.02 + 0.5 * random() ** 2 : 0.1,
      );
    return seed === null ? lapsingMembers({ ...size, seed: 7 }) : indistinctMembers({ ...size, seed });
  };
  return (seed) => {
    const windows = windowsOf(made(seed), target, config.horizon);
    return fitOwnHistory({ target, config, history: windows, evaluatedAt: DATE }, () => undefined).passed;
  };
}

const subjects: Readonly<Record<string, () => GatedSubject>> = {
  return: () => task('return'),
  item: () => task('item'),
  basket: () => task('basket'),
  tier: () => task('tier'),
  'alignment-purchase': () => alignment('purchase'),
  'alignment-churn': () => alignment('churn'),
  'alignment-abandonment': () => alignment('abandonment'),
  'history-purchase': () => history('purchase'),
  'history-churn': () => history('churn'),
  'history-abandonment': () => history('abandonment'),
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

/** Prints the results; true if noise never passes and predictable labels pass. */
function count(name: string, passes: GatedSubject, runs: number): boolean {
  const isPassed = passes(null);
  const noisePassed = Array.from({ length: runs }, (_, run) => passes(run + 1)).filter(Boolean).length;
  const own = isPassed ? 'passes' : 'DOES NOT PASS';
  console.log(`${name.padEnd(22)} ${own}; on noise it passes ${noisePassed} of ${runs} times`);
  return isPassed && noisePassed === 0;
}
