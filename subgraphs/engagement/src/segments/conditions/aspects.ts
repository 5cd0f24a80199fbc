import { memberFieldByKey } from '../fields/member-fields.ts';
import type { Aspect, Condition } from './condition.ts';
import { memberEvents } from './occurrence-conditions.ts';

/** What a resolved condition reads of members. */
export function aspectsOf(condition: Condition): ReadonlySet<Aspect> {
  return new Set(listed(condition));
}

function listed(condition: Condition): Aspect[] {
  if ('op' in condition) return condition.conditions.flatMap(listed);
  if ('field' in condition) return [memberFieldByKey.get(condition.field)?.aspect ?? 'CUSTOM'];
  if ('record' in condition) return [`RECORD:${condition.record}`];
  if (!('event' in condition)) throw new Error('a nested segment was not resolved');
  const { event } = condition;
  return [memberEvents.get(event)?.aspect ?? `TRACKED:${event}`];
}
