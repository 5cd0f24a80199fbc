import { hashOf } from './hash.fixture.ts';

/** The ways in which a whole subgraph fails. */
export type Outage = 'errors' | 'null data' | 'null data and errors' | 'entities too short' | 'entities null';
const outages: readonly Outage[] = [
  'errors',
  'null data',
  'null data and errors',
  'entities too short',
  'entities null',
];

/** The faults during one operation; the same for all executors that run it. */
export interface Faults {
  /** One fault in this many fields; 0 for none. */
  readonly every: number;
  readonly seed: number;
  /** The kind of failure of each subgraph that is unavailable. */
  readonly outages: ReadonlyMap<string, Outage>;
}

export const noFaults: Faults = { every: 0, seed: 0, outages: new Map() };

/** Failures of single fields: errors, nulls (also in non-null fields), nulls in lists, missing entities. */
export const fieldFaults = (seed: number): Faults => ({
  every: 3 + (hashOf(seed, 'every') % 10),
  seed,
  outages: new Map(),
});

/** One unavailable subgraph, with all kinds of failure in turn. */
export function outageOf(seed: number, subgraphs: readonly string[]): Faults {
  const subgraph = subgraphs[hashOf(seed, 'subgraph') % subgraphs.length] ?? '';
  const outage = outages[hashOf(seed, 'outage') % outages.length] ?? 'errors';
  return { every: 0, seed, outages: new Map([[subgraph, outage]]) };
}

export type FieldFault = 'throw' | 'null' | 'null in list' | 'none';

/** Returns the fault of one field of one object in one subgraph. */
export function fieldFault(faults: Faults, subgraph: string, ident: string, field: string): FieldFault {
  const hash = faults.every === 0 ? 1 : hashOf(faults.seed, subgraph, ident, field);
  if (faults.every === 0 || hash % faults.every !== 0) return 'none';
  return (['throw', 'null', 'null in list'] as const)[Math.floor(hash / faults.every) % 3] ?? 'none';
}

/** Returns whether a subgraph does not know an entity. */
export const isMissing = (faults: Faults, subgraph: string, ident: string): boolean =>
  faults.every > 0 && hashOf(faults.seed, subgraph, ident, 'missing') % faults.every === 0;
