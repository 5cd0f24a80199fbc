import { parseArgs } from 'node:util';
import { classes, type MixClass } from './mixture.ts';

export const help = `A mixture of requests at a fixed rate, raised until reads of members are slow.

  npm run bench -- mix [options]
  --rate <n>        requests a second of the first step (50)
  --step <n>        what each step adds (50)
  --most <n>        requests a second of the last step (1500)
  --seconds <n>     length of a step (20)
  --hold <n>        minutes at 80% of the knee, afterwards (0)
  --seven           seven processes; default: one
  --members <n>     members of the large workspace (100000)
  --only <class>    requests of one class: ${classes.join(', ')}

PostgreSQL waits for the disk, as in production.`;

export interface MixOptions {
  readonly rate: number;
  readonly step: number;
  readonly most: number;
  readonly seconds: number;
  readonly hold: number;
  readonly isSeven: boolean;
  readonly members: number;
  readonly only: MixClass | undefined;
}

/** Reads the options; null if help was printed. @throws Error that names the option */
export function readMixOptions(args: readonly string[]): MixOptions | null {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      rate: { type: 'string', default: '50' },
      step: { type: 'string', default: '50' },
      most: { type: 'string', default: '1500' },
      seconds: { type: 'string', default: '20' },
      hold: { type: 'string', default: '0' },
      seven: { type: 'boolean', default: false },
      members: { type: 'string', default: '100000' },
      only: { type: 'string' },
    },
  });
  if (values.help) return null;
  return {
    rate: wholeNumber('--rate', values.rate, 1, 10_000),
    step: wholeNumber('--step', values.step, 1, 10_000),
    most: wholeNumber('--most', values.most, 1, 10_000),
    seconds: wholeNumber('--seconds', values.seconds, 5, 600),
    hold: wholeNumber('--hold', values.hold, 0, 60),
    isSeven: values.seven,
    members: wholeNumber('--members', values.members, 1_000, 1_000_000),
    only: values.only === undefined ? undefined : classNamed(values.only),
  };
}

function classNamed(name: string): MixClass {
  const found = classes.find((each) => each === name);
  if (found) return found;
  throw new Error(`--only must be one of ${classes.join(', ')}; see --help.`);
}

function wholeNumber(name: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new Error(`${name} must be a whole number from ${min} to ${max}; see --help.`);
}
