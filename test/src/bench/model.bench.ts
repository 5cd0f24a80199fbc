import { parseArgs } from 'node:util';
import { measureCalls } from './model/measure-call.ts';
import { measureImport } from './model/measure-import.ts';
import { measureRecommendations } from './model/measure-recommend.ts';
import { scoresPerSecond } from './model/measure-score.ts';

const help = `Measures the model service: scores a second, a capability call beside a bare handler, events
beside COPY, order lines with and without what recommendations need. Prints ratios; each section is measured
side by side in this run.

  npm run bench -- model [score] [call] [import] [recommend]   Default: all of them
  --events <count>                                             of the import. Default: 1,000,000
  --lines <count>                                              of recommend. Default: 1,000,000`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    events: { type: 'string', default: '1000000' },
    lines: { type: 'string', default: '1000000' },
    help: { type: 'boolean', short: 'h' },
  },
});

/** The measures. Each prints its own lines. */
const measures: Readonly<Record<string, () => Promise<void>>> = {
  score: scoresPerSecond,
  call: measureCalls,
  import: () => measureImport(Number(values.events)),
  recommend: () => measureRecommendations(Number(values.lines)),
};

if (values.help) console.log(help);
else {
  const wanted = positionals.length > 0 ? positionals : Object.keys(measures);
  for (const name of wanted) {
    const measure = measures[name];
    if (!measure)
      throw new Error(`There is no section ${name}: choose of ${Object.keys(measures).join(', ')}.`);
    await measure();
  }
}
