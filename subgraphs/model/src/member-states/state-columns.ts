import { nullableArray } from '../facts/array-literals.ts';
import type { StateRow } from '../standard-model/state-row.ts';

interface Column {
  readonly name: string;
  /** The type of the parameter. */
  readonly type: string;
  readonly value: (state: StateRow) => string | number | null;
  /** SQL from the parameter to the column. Default: the parameter itself. */
  readonly stored?: (sent: string) => string;
}

/** Days and times are sent as numbers, because PostgreSQL takes long to parse them from text. */
const day = (sent: string): string => `date '1970-01-01' + ${sent}`;
const instant = (sent: string): string => `to_timestamp(${sent} / 1000)`;

/** The columns of model.member_states that hold a state, for every statement that writes one. */
const columns: readonly Column[] = [
  { name: 'status', type: 'model."AnalysisStatus"', value: ({ status }) => status },
  { name: 'purchase', type: 'float8', value: ({ purchase }) => purchase },
  { name: 'long_gap', type: 'float8', value: ({ longGap }) => longGap },
  { name: 'cart_removal', type: 'float8', value: ({ cartRemoval }) => cartRemoval },
  { name: 'purchase_reasons', type: 'int2', value: (state) => state.purchaseReasons },
  { name: 'long_gap_reasons', type: 'int2', value: (state) => state.longGapReasons },
  { name: 'cart_removal_reasons', type: 'int2', value: (state) => state.cartRemovalReasons },
  { name: 'purchase_days', type: 'int4', value: ({ purchaseDays }) => purchaseDays },
  { name: 'first_day', type: 'int4', value: ({ firstDay }) => firstDay, stored: day },
  { name: 'last_day', type: 'int4', value: ({ lastDay }) => lastDay, stored: day },
  { name: 'gap_days', type: 'int4', value: ({ gapDays }) => gapDays },
  { name: 'interval_mean', type: 'float8', value: ({ intervalMean }) => intervalMean },
  { name: 'interval_sd', type: 'float8', value: ({ intervalSd }) => intervalSd },
  { name: 'alive_chance', type: 'float8', value: ({ aliveChance }) => aliveChance },
  { name: 'gap_survival', type: 'float8', value: ({ gapSurvival }) => gapSurvival },
  { name: 'overdue_cycles', type: 'float8', value: ({ overdueCycles }) => overdueCycles },
  { name: 'sessions', type: 'int4', value: ({ sessions }) => sessions },
  { name: 'cart_adds', type: 'float8', value: ({ cartAdds }) => cartAdds },
  { name: 'cart_removes', type: 'float8', value: ({ cartRemoves }) => cartRemoves },
  { name: 'last_event_at', type: 'float8', value: ({ lastEventMs }) => lastEventMs, stored: instant },
  { name: 'last_cart_at', type: 'float8', value: ({ lastCartMs }) => lastCartMs, stored: instant },
  { name: 'data_through', type: 'float8', value: ({ dataThroughMs }) => dataThroughMs, stored: instant },
];

/** Names of the columns, for INSERT and as the alias of `unnest`. */
export const STATE_COLUMNS = columns.map(({ name }) => name).join(', ');

/** Values of the columns, for SELECT from an `unnest` of `stateArrays` under that alias. */
export const stateValues = (alias: string): string =>
  columns.map(({ name, stored }) => stored?.(`${alias}.${name}`) ?? `${alias}.${name}`).join(', ');

/** `column = excluded.column` for each column. */
export const STATE_ASSIGNMENTS = columns.map(({ name }) => `${name} = excluded.${name}`).join(', ');

/** Arguments of `unnest` from parameter $`first` on; its columns are `STATE_COLUMNS`. */
export const stateArrays = (first: number): string =>
  columns.map(({ type }, place) => `$${first + place}::${type}[]`).join(', ');

/** The values of these parameters; null for a member without a state. */
export const stateParameters = (states: readonly (StateRow | null)[]): string[] =>
  columns.map(({ value }) => nullableArray(states.map((state) => state && value(state))));

/** Select list of a row of model.member_states, as the driver reads it. */
export const STATE_FIELDS = `status, purchase, long_gap, cart_removal, purchase_reasons, long_gap_reasons,
  cart_removal_reasons, purchase_days,
  first_day - date '1970-01-01' AS first_day, last_day - date '1970-01-01' AS last_day, gap_days,
  interval_mean, interval_sd, alive_chance, gap_survival, overdue_cycles, sessions, cart_adds, cart_removes,
  (extract(epoch FROM last_event_at) * 1000)::float8 AS last_event_ms,
  (extract(epoch FROM last_cart_at) * 1000)::float8 AS last_cart_ms,
  (extract(epoch FROM data_through) * 1000)::float8 AS data_through_ms`;
