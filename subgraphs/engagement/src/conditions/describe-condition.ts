import type {
  Condition,
  EventCondition,
  FieldCondition,
  Frequency,
  Group,
  RecordCondition,
} from './condition.ts';
import type { ConditionField, ConditionObject } from './condition-fields.service.ts';
import { conditionEvents } from './occurrence-conditions.ts';

/** Labels of the things that conditions refer to. */
export interface ConditionLabels {
  readonly fields: readonly ConditionField[];
  readonly objects: readonly ConditionObject[];
  /** Names of segments by id. */
  readonly segments: ReadonlyMap<string, string>;
}

const GROUPS: Readonly<Record<Group['op'], string>> = {
  and: 'All of these hold',
  or: 'At least one of these holds',
  not: 'None of these holds',
};

const COUNTS = { at_least: 'at least', at_most: 'at most', exactly: 'exactly' } as const;

/** Maximum number of values of a list in a sentence. */
const VALUES_MAX = 5;

/** Describes a condition in words. */
export function describeCondition(condition: Condition, labels: ConditionLabels): string {
  if ('op' in condition) return GROUPS[condition.op];
  if ('segment' in condition) {
    const { segment, operator } = condition;
    const name = labels.segments.get(segment.toLowerCase()) ?? segment;
    return `${operator === 'not_in' ? 'Not in' : 'In'} the segment ${name}`;
  }
  if ('event' in condition) return describeEvent(condition);
  if ('record' in condition) return describeRecord(condition, labels);
  return describeField(condition, labels.fields);
}

function describeField(
  { field, operator, value }: FieldCondition,
  fields: readonly ConditionField[],
): string {
  const known = fields.find(({ key }) => key === field);
  const verb = known?.operators.find(({ key }) => key === operator)?.label ?? operator.replaceAll('_', ' ');
  const shown = value === undefined || value === null ? '' : ` ${shownValue(value, known)}`;
  return `${known?.label ?? field} ${verb}${shown}`;
}

const describeEvent = (condition: EventCondition): string => {
  const { store_ids: stores, pool_ids: pools } = condition;
  const places = [
    ...(stores ? [`in ${many(stores, 'store')}`] : []),
    ...(pools ? [`of ${many(pools, 'pool')}`] : []),
  ];
  return [
    conditionEvents.get(condition.event)?.label ?? condition.event,
    ...places,
    frequency(condition),
  ].join(' ');
};

function describeRecord(condition: RecordCondition, { objects }: ConditionLabels): string {
  const object = objects.find(({ key }) => key === condition.record);
  const where = (condition.where ?? [])
    .map((each) => describeField(each, object?.fields ?? []))
    .join(' and ');
  return [
    `Records of ${object?.label ?? condition.record}`,
    ...(where ? [`where ${where}`] : []),
    frequency(condition),
  ].join(' ');
}

function frequency({ operator = 'at_least', count = 1, within_days: days }: Frequency): string {
  const times = `${COUNTS[operator]} ${count === 1 ? 'once' : `${count} times`}`;
  return days === undefined ? times : `${times} within ${days === 1 ? 'one day' : `${days} days`}`;
}

const many = (ids: readonly string[], noun: string): string =>
  ids.length === 1 ? `one ${noun}` : `${ids.length} ${noun}s`;

function shownValue(value: unknown, field: ConditionField | undefined): string {
  if (!Array.isArray(value)) return labelOf(value, field);
  const named = value.slice(0, VALUES_MAX).map((each) => labelOf(each, field));
  const others = value.length - named.length;
  return [...named, ...(others > 0 ? [`${others} more`] : [])].join(', ');
}

function labelOf(value: unknown, field: ConditionField | undefined): string {
  const option = field?.options?.find((each) => each.value === value);
  if (option) return option.label;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
