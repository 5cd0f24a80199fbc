import { DAY_MS } from '@loyalty/platform/base/clock';
import { issueList, readInstant, readSampleTable, type SampleRow } from '../estimators/sample-table.ts';
import type { SampleIssue, TrainingConfig } from '../estimators/training-request.ts';
import { type BackboneEvent, EVENTS_MAX } from './event-signals.ts';
import { readEvents } from './sample-events.ts';

/** Labeled members of a workspace with their events, sorted by date, then by id. */
export interface AlignmentSamples {
  readonly ids: readonly string[];
  readonly entities: readonly string[];
  /** Milliseconds since 1970. */
  readonly asOf: Float64Array;
  readonly labelEnd: Float64Array;
  /** 0 or 1. */
  readonly labels: Uint8Array;
  readonly events: readonly (readonly BackboneEvent[])[];
}

const COLUMNS = ['sample_id', 'entity_id', 'as_of', 'label_end', 'target', 'events'] as const;
type Column = (typeof COLUMNS)[number];

const SAMPLES_MIN = 500;
const SAMPLES_MAX = 2_000;
const HORIZON_MAX = 730;
const ID_LENGTH_MAX = 200;
const TOLERANCE_MS = 1_000;
const OF_EACH_LABEL_MIN = 20;
const CONTRADICTIONS_MAX = 0.01;

/**
 * Parses the samples of an alignment from CSV and returns all issues.
 *
 * @param now - labels must be complete by then
 * @returns samples only if there is no issue
 * @remarks Source: model API, section 2 "Alignment version"; requirements M-ALN-01 to M-ALN-04
 */
export function readAlignmentSamples(
  config: TrainingConfig,
  content: string,
  now: Date,
): { issues: readonly SampleIssue[]; sampleCount: number; samples: AlignmentSamples | null } {
  const { header, rows, issues: unreadable } = readSampleTable(content);
  const { issues, add } = issueList();
  const isComplete = checkHeader(header, add);
  for (const { row, column, message } of unreadable) add(row, column, message);
  if (!Number.isInteger(config.horizon) || config.horizon < 1 || config.horizon > HORIZON_MAX)
    add(0, 'label_end', `needs a horizon of 1 to ${HORIZON_MAX} whole days`);
  if (!isComplete) return { issues, sampleCount: rows.length, samples: null };
  const place = Object.fromEntries(COLUMNS.map((name) => [name, header.indexOf(name)]));
  const reading = { config, now, add, cellOf: ({ cells }: SampleRow, name: Column) => cells[place[name]!]! };
  const read = rows.map((row) => readRow(row, reading));
  checkIds(rows, 'sample_id', reading);
  checkIds(rows, 'entity_id', reading);
  checkNumbers(rows, reading);
  checkContradictions(read, reading);
  return { issues, sampleCount: rows.length, samples: issues.length === 0 ? samplesOf(read) : null };
}

type AddIssue = (row: number, column: string, message: string) => void;

function checkHeader(header: readonly string[], add: AddIssue): boolean {
  const isKnown = (name: string) => (COLUMNS as readonly string[]).includes(name);
  for (const name of COLUMNS) if (!header.includes(name)) add(0, name, 'is missing');
  header.forEach((name, place) => {
    if (header.indexOf(name) < place) add(0, name, 'occurs twice');
    else if (!isKnown(name)) add(0, name, 'is not known');
  });
  return COLUMNS.every((name) => header.includes(name));
}

interface Reading {
  readonly config: TrainingConfig;
  readonly now: Date;
  readonly add: AddIssue;
  readonly cellOf: (row: SampleRow, column: Column) => string;
}

interface AlignmentSample {
  readonly id: string;
  readonly entity: string;
  readonly asOf: number;
  readonly labelEnd: number;
  readonly label: number;
  readonly events: readonly BackboneEvent[];
}

/** Parses one row; an unreadable cell is NaN or empty, and an issue. */
function readRow(row: SampleRow, { config, now, add, cellOf }: Reading): AlignmentSample {
  const [asOf = Number.NaN, labelEnd = Number.NaN] = (['as_of', 'label_end'] as const).map((column) => {
    const instant = readInstant(cellOf(row, column));
    if (instant === null)
      add(row.row, column, 'must be a date or an instant of ISO 8601, as 2026-01-31T00:00:00Z');
    return instant ?? Number.NaN;
  });
  if (Math.abs(labelEnd - asOf - config.horizon * DAY_MS) > TOLERANCE_MS)
    add(row.row, 'label_end', `must be ${config.horizon} days after as_of`);
  if (labelEnd > now.getTime()) add(row.row, 'label_end', 'lies in the future: the label is not known yet');
  const target = cellOf(row, 'target');
  if (target !== '0' && target !== '1') add(row.row, 'target', 'must be 0 or 1');
  const { events, issue } = readEvents(cellOf(row, 'events'), asOf);
  if (issue) add(row.row, 'events', issue);
  return {
    id: cellOf(row, 'sample_id'),
    entity: cellOf(row, 'entity_id'),
    asOf,
    labelEnd,
    label: target === '1' ? 1 : 0,
    events,
  };
}

function checkIds(rows: readonly SampleRow[], column: 'sample_id' | 'entity_id', reading: Reading): void {
  const { add, cellOf } = reading;
  const seen = new Map<string, number>();
  for (const row of rows) {
    const text = cellOf(row, column);
    if (text === '' || text.length > ID_LENGTH_MAX)
      add(row.row, column, `must have 1 to ${ID_LENGTH_MAX} characters`);
    else if (seen.has(text)) add(row.row, column, `is that of row ${seen.get(text)}, too`);
    else seen.set(text, row.row);
  }
}

function checkNumbers(rows: readonly SampleRow[], { add, cellOf }: Reading): void {
  if (rows.length < SAMPLES_MIN || rows.length > SAMPLES_MAX)
    add(
      0,
      'sample_id',
      `has ${rows.length} independent samples, ${SAMPLES_MIN} to ${SAMPLES_MAX} are needed`,
    );
  for (const label of ['0', '1']) {
    const count = rows.filter((row) => cellOf(row, 'target') === label).length;
    if (count < OF_EACH_LABEL_MIN)
      add(0, 'target', `is ${label} in ${count} rows, at least ${OF_EACH_LABEL_MIN} are needed`);
  }
  const isConstant = rows.length > 1 && new Set(rows.map((row) => cellOf(row, 'events'))).size === 1;
  if (isConstant) add(0, 'events', 'is the same in all rows');
}

/**
 * Checks for equal events before equal dates with different targets: their labels do not depend on the
 * events.
 */
function checkContradictions(samples: readonly AlignmentSample[], { add }: Reading): void {
  const keyOf = ({ asOf, events }: AlignmentSample) => `${asOf}|${JSON.stringify(events)}`;
  const byEvents = Map.groupBy(
    samples.filter(({ events }) => events.length > 0),
    keyOf,
  );
  let contradicting = 0;
  for (const same of byEvents.values()) {
    const positives = same.filter(({ label }) => label === 1).length;
    contradicting += Math.min(positives, same.length - positives);
  }
  if (contradicting > CONTRADICTIONS_MAX * samples.length)
    add(0, 'events', `is the same with different targets in ${contradicting} rows`);
}

function samplesOf(read: readonly AlignmentSample[]): AlignmentSamples {
  const samples = [...read].sort((one, other) => one.asOf - other.asOf || (one.id < other.id ? -1 : 1));
  return {
    ids: samples.map(({ id }) => id),
    entities: samples.map(({ entity }) => entity),
    asOf: Float64Array.from(samples, ({ asOf }) => asOf),
    labelEnd: Float64Array.from(samples, ({ labelEnd }) => labelEnd),
    labels: Uint8Array.from(samples, ({ label }) => label),
    events: samples.map(({ events }) => events.slice(-EVENTS_MAX)),
  };
}
