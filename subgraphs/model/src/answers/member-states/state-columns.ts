import { DAY_MS } from '@loyalty/platform/clock';
import { nullableArray } from '../../facts/facts/array-literals.ts';
import type { StateRow } from '../../scoring/standard-model/state-row.ts';

interface Column {
  readonly name: string;
  readonly type: string;
  readonly value: (state: StateRow) => string | number | null;
}

const day = (days: number | null): string | null =>
  days === null ? null : new Date(days * DAY_MS).toISOString().slice(0, 10);

const instant = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

/** The columns of model.member_states that hold a state, in any statement that writes one. */
const columns: readonly Column[] = [
  { name: 'status', type: 'model."AnalysisStatus"', value: ({ status }) => status },
  { name: 'purchase', type: 'float8', value: ({ purchase }) => purchase },
  { name: 'long_gap', type: 'float8', value: ({ longGap }) => longGap },
  { name: 'cart_removal', type: 'float8', value: ({ cartRemoval }) => cartRemoval },
  { name: 'purchase_reasons', type: 'int2', value: (state) => state.purchaseReasons },
  { name: 'long_gap_reasons', type: 'int2', value: (state) => state.longGapReasons },
  { name: 'cart_removal_reasons', type: 'int2', value: (state) => state.cartRemovalReasons },
  { name: 'purchase_days', type: 'int4', value: ({ purchaseDays }) => purchaseDays },
  { name: 'first_day', type: 'date', value: ({ firstDay }) => day(firstDay) },
  { name: 'last_day', type: 'date', value: ({ lastDay }) => day(lastDay) },
  { name: 'gap_days', type: 'int4', value: ({ gapDays }) => gapDays },
  { name: 'interval_mean', type: 'float8', value: ({ intervalMean }) => intervalMean },
  { name: 'interval_sd', type: 'float8', value: ({ intervalSd }) => intervalSd },
  { name: 'alive_chance', type: 'float8', value: ({ aliveChance }) => aliveChance },
  { name: 'gap_survival', type: 'float8', value: ({ gapSurvival }) => gapSurvival },
  { name: 'sessions', type: 'int4', value: ({ sessions }) => sessions },
  { name: 'cart_adds', type: 'float8', value: ({ cartAdds }) => cartAdds },
  { name: 'cart_removes', type: 'float8', value: ({ cartRemoves }) => cartRemoves },
  { name: 'last_event_at', type: 'timestamptz', value: ({ lastEventMs }) => instant(lastEventMs) },
  { name: 'last_cart_at', type: 'timestamptz', value: ({ lastCartMs }) => instant(lastCartMs) },
  { name: 'data_through', type: 'timestamptz', value: ({ dataThroughMs }) => instant(dataThroughMs) },
];

/** Names of the columns, for INSERT and SELECT; of a table or alias, if one is named. */
export const stateColumns = (table?: string): string =>
  columns.map(({ name }) => (table ? `${table}.${name}` : name)).join(', ');

/** `column = excluded.column` of each. */
export const STATE_ASSIGNMENTS = columns.map(({ name }) => `${name} = excluded.${name}`).join(', ');

/** Arguments of `unnest` from parameter $`first` on, whose result has `stateColumns`. */
export const stateArrays = (first: number): string =>
  columns.map(({ type }, place) => `$${first + place}::${type}[]`).join(', ');

/** The values of those parameters; a null is a member without a state. */
export const stateParameters = (states: readonly (StateRow | null)[]): string[] =>
  columns.map(({ value }) => nullableArray(states.map((state) => state && value(state))));

/** As the driver reads a row of model.member_states. */
export const STATE_FIELDS = `status, purchase, long_gap AS "longGap", cart_removal AS "cartRemoval",
  purchase_reasons AS "purchaseReasons", long_gap_reasons AS "longGapReasons",
  cart_removal_reasons AS "cartRemovalReasons", purchase_days AS "purchaseDays",
  first_day - date '1970-01-01' AS "firstDay", last_day - date '1970-01-01' AS "lastDay",
  gap_days AS "gapDays", interval_mean AS "intervalMean", interval_sd AS "intervalSd",
  alive_chance AS "aliveChance", gap_survival AS "gapSurvival", sessions, cart_adds AS "cartAdds",
  cart_removes AS "cartRemoves", (extract(epoch FROM last_event_at) * 1000)::float8 AS "lastEventMs",
  (extract(epoch FROM last_cart_at) * 1000)::float8 AS "lastCartMs",
  (extract(epoch FROM data_through) * 1000)::float8 AS "dataThroughMs"`;
