import { DAY_MS } from '@loyalty/platform/base/clock';
import type { FeatureRows } from '../numerics/logistic.ts';
import { featureColumns, isFeature, REQUIRED, sampleColumns } from './sample-columns.ts';
import { issueList, readInstant, readSampleTable, type SampleRow } from './sample-table.ts';
import type { SampleIssue, TrainingConfig, TrainingTask } from './training-request.ts';

/** Labeled samples, sorted by date, then by id. */
export interface Samples {
  readonly ids: readonly string[];
  readonly entities: readonly string[];
  /** Time at which the features were known, milliseconds since 1970. */
  readonly asOf: Float64Array;
  /** Time at which the label was known, milliseconds since 1970. */
  readonly labelEnd: Float64Array;
  readonly targets: readonly string[];
  /** With their prefix `f_`, sorted by name. */
  readonly featureNames: readonly string[];
  /** NaN for an empty cell. */
  readonly features: FeatureRows;
}

const TOLERANCE_MS = 1_000;

const ENTITIES_MIN = 200;

const OF_EACH_LABEL_MIN = 20;

const HORIZON_MAX = 730;

const ID_LENGTH_MAX = 200;

/**
 * Parses labeled samples from CSV and returns all issues.
 *
 * @param now - labels must be complete by then
 * @returns samples only if there is no issue
 * @remarks Source: requirements M-TRN-04 to M-TRN-10, M-TRN-31
 */
export function readSamples(
  task: TrainingTask,
  config: TrainingConfig,
  content: string,
  now: Date,
): { issues: readonly SampleIssue[]; sampleCount: number; samples: Samples | null } {
  const { header, rows, issues: unreadable } = readSampleTable(content);
  const { issues, add } = issueList();
  for (const { row, column, message } of [...unreadable, ...configIssues(task, config)])
    add(row, column, message);
  const columns = sampleColumns(header);
  if (header.length > 0) for (const { column, message } of columns.issues) add(0, column, message);
  if (columns.issues.length > 0) return { issues, sampleCount: rows.length, samples: null };
  const place = Object.fromEntries(REQUIRED.map((name) => [name, header.indexOf(name)]));
  const read = { cellOf: ({ cells }: SampleRow, name: string) => cells[place[name]!]!, add };
  checkRows(rows, { task, config, now, ...read });
  checkNumbers(task, rows, read);
  const samples = samplesOf(rows, header, read);
  return { issues, sampleCount: rows.length, samples: issues.length === 0 ? samples : null };
}

interface Reading {
  readonly cellOf: (row: SampleRow, column: string) => string;
  readonly add: (row: number, column: string, message: string) => void;
}

function configIssues(task: TrainingTask, { horizon, ruleVersion }: TrainingConfig): SampleIssue[] {
  const issues: SampleIssue[] = [];
  if (!Number.isInteger(horizon) || horizon < 1 || horizon > HORIZON_MAX)
    issues.push({
      row: 0,
      column: 'label_end',
      message: `needs a horizon of 1 to ${HORIZON_MAX} whole days`,
    });
  if (task === 'tier' && !ruleVersion?.trim())
    issues.push({ row: 0, column: 'target', message: 'needs the ruleVersion that decides about upgrades' });
  return issues;
}

interface RowReading extends Reading {
  readonly task: TrainingTask;
  readonly config: TrainingConfig;
  readonly now: Date;
}

function checkRows(rows: readonly SampleRow[], reading: RowReading): void {
  const { cellOf, add, task } = reading;
  const seen = new Map<string, number>();
  const seenDates = new Map<string, number>();
  for (const each of rows) {
    const { row } = each;
    const [id, entity] = [cellOf(each, 'sample_id'), cellOf(each, 'entity_id')];
    for (const [column, text] of [
      ['sample_id', id],
      ['entity_id', entity],
    ] as const)
      if (text === '' || text.length > ID_LENGTH_MAX)
        add(row, column, `must have 1 to ${ID_LENGTH_MAX} characters`);
    if (seen.has(id)) add(row, 'sample_id', `is that of row ${seen.get(id)}, too`);
    else seen.set(id, row);
    const asOf = checkDates(each, reading);
    const date = `${asOf}|${entity}`;
    if (asOf !== null && seenDates.has(date))
      add(row, 'entity_id', `has the same as_of in row ${seenDates.get(date)}, too`);
    else seenDates.set(date, row);
    const issue = targetIssue(task, cellOf(each, 'target'));
    if (issue) add(row, 'target', issue);
  }
}

/** Returns the date of a row; null if it is not valid. */
function checkDates(each: SampleRow, { cellOf, add, config, now }: RowReading): number | null {
  const dates = (['as_of', 'label_end'] as const).map((column) => {
    const instant = readInstant(cellOf(each, column));
    if (instant === null)
      add(each.row, column, 'must be a date or an instant of ISO 8601, as 2026-01-31T00:00:00Z');
    return instant;
  });
  const [asOf = null, labelEnd = null] = dates;
  if (asOf === null || labelEnd === null) return asOf;
  if (Math.abs(labelEnd - asOf - config.horizon * DAY_MS) > TOLERANCE_MS)
    add(each.row, 'label_end', `must be ${config.horizon} days after as_of`);
  if (labelEnd > now.getTime()) add(each.row, 'label_end', 'lies in the future: the label is not known yet');
  return asOf;
}

function checkNumbers(task: TrainingTask, rows: readonly SampleRow[], { cellOf, add }: Reading): void {
  const entities = new Set(rows.map((row) => cellOf(row, 'entity_id'))).size;
  if (entities < ENTITIES_MIN)
    add(0, 'entity_id', `has ${entities} independent entities, at least ${ENTITIES_MIN} are needed`);
  const counts = Map.groupBy(rows, (row) => cellOf(row, 'target'));
  if (task === 'item' || task === 'basket') {
    if (counts.size < 2) add(0, 'target', 'is the same in all rows');
    return;
  }
  for (const label of ['0', '1']) {
    const count = counts.get(label)?.length ?? 0;
    if (count < OF_EACH_LABEL_MIN)
      add(0, 'target', `is ${label} in ${count} rows, at least ${OF_EACH_LABEL_MIN} are needed`);
  }
}

/** Returns the sorted samples; adds the issues of features. */
function samplesOf(rows: readonly SampleRow[], header: readonly string[], reading: Reading): Samples {
  const { cellOf, add } = reading;
  const featureNames = header.filter(isFeature).sort();
  const asOfRow = new Map(rows.map((row) => [row, readInstant(cellOf(row, 'as_of')) ?? Number.NaN]));
  const idOf = (row: SampleRow) => cellOf(row, 'sample_id');
  const sorted = [...rows].sort(
    (one, other) => asOfRow.get(one)! - asOfRow.get(other)! || (idOf(one) < idOf(other) ? -1 : 1),
  );
  const [features, issues] = featureColumns(sorted, featureNames, header);
  for (const { row, column, message } of issues) add(row, column, message);
  return {
    ids: sorted.map(idOf),
    entities: sorted.map((row) => cellOf(row, 'entity_id')),
    asOf: Float64Array.from(sorted, (row) => asOfRow.get(row)!),
    labelEnd: Float64Array.from(sorted, (row) => readInstant(cellOf(row, 'label_end')) ?? Number.NaN),
    targets: sorted.map((row) => cellOf(row, 'target')),
    featureNames,
    features,
  };
}

const KEY = /^[A-Za-z0-9._:-]{1,64}$/;

const KEYS_MIN = 2;

const KEYS_MAX = 10;

const SEPARATOR = '|';

/**
 * Returns the issue of a target, as the rest of a sentence that begins with its column; null if there is
 * none.
 */
function targetIssue(task: TrainingTask, target: string): string | null {
  if (task === 'return' || task === 'tier') return /^[01]$/.test(target) ? null : 'must be 0 or 1';
  if (task === 'item')
    return KEY.test(target) ? null : 'must be one key of 1 to 64 of the characters A-Z a-z 0-9 . _ : -';
  const keys = target.split(SEPARATOR);
  if (!keys.every((key) => KEY.test(key)))
    return 'must be keys of 1 to 64 of the characters A-Z a-z 0-9 . _ : - with | between them';
  if (new Set(keys).size < keys.length) return 'names a key twice';
  if (keys.some((key, place) => place > 0 && key < keys[place - 1]!)) return 'must have its keys in order';
  const isFew = keys.length >= KEYS_MIN && keys.length <= KEYS_MAX;
  return isFew ? null : `must have ${KEYS_MIN} to ${KEYS_MAX} keys`;
}

/** Returns the keys of a basket. */
export const keysOf = (target: string): readonly string[] => target.split(SEPARATOR);
