import { createHash } from 'node:crypto';
import { std1 } from './std-1.ts';
import { std2 } from './std-2.ts';

/** Returns SHA-256, hexadecimal, of JSON with sorted keys: equal values have equal fingerprints. */
const fingerprint = (value: object): string =>
  createHash('sha256')
    .update(JSON.stringify(sorted(value)))
    .digest('hex');

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, each]) => [key, sorted(each)]));
}

/** Versions of the standard model that callers can request, the oldest first. */
export const STANDARD_VERSIONS = ['std-1', 'std-2'] as const;

export type StandardVersion = (typeof STANDARD_VERSIONS)[number];

/** The version for requests that name none. */
export const CURRENT_VERSION: StandardVersion = 'std-2';

const named = <Version extends StandardVersion, Parameters extends object>(
  version: Version,
  parameters: Parameters,
) => ({ name: 'standard', version, parameters, parametersSha256: fingerprint(parameters) }) as const;

/** Name, parameters and their fingerprint, by version. */
export const standardModels = { 'std-1': named('std-1', std1), 'std-2': named('std-2', std2) } as const;

export const isStandardVersion = (text: string): text is StandardVersion =>
  (STANDARD_VERSIONS as readonly string[]).includes(text);
