import { parseArgs } from 'node:util';
import { type GatewayName, gatewayNames } from './gateways.ts';

/** Settings of the bench. `--quick` takes less than a minute and is too short for comparisons. */
interface Settings {
  readonly gateways: readonly GatewayName[];
  readonly connections: readonly number[];
  readonly runs: number;
  /** Before each measurement: until frequent code is optimized. */
  readonly warmSeconds: number;
  readonly secondsPerRun: number;
  readonly coldOperations: number;
  /** Requests to our gateway between the two measurements of its memory. */
  readonly requests: number;
}

/**
 * Reads the command line: `--quick`, `--requests=1000000` for the long measurement of memory, and
 * `--only=ours,apollo` for some of the gateways.
 */
export function settingsOf(args: readonly string[]): Settings {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      requests: { type: 'string' },
      only: { type: 'string' },
    },
  });
  const chosen = values.only?.split(',') ?? gatewayNames;
  const unknown = chosen.find((name) => !gatewayNames.includes(name as GatewayName));
  if (unknown) throw new Error(`There is no gateway ${unknown}: choose of ${gatewayNames.join(', ')}.`);
  return {
    gateways: gatewayNames.filter((name) => chosen.includes(name)),
    connections: values.quick ? [64] : [64, 1],
    runs: values.quick ? 1 : 3,
    warmSeconds: values.quick ? 2 : 6,
    secondsPerRun: values.quick ? 1 : 4,
    coldOperations: values.quick ? 50 : 200,
    requests: Number(values.requests ?? (values.quick ? 20_000 : 200_000)),
  };
}
