import type { ActivityKind } from '#generated/schema';
import { usesBy } from '../../events/described-events.ts';

/** Every event that is shown as an activity: its type, and its kind. */
export const activityKinds = usesBy('activity') as ReadonlyMap<string, ActivityKind>;

/** The types of the events of these kinds; null for all kinds. */
export const typesOf = (kinds: readonly ActivityKind[] | null | undefined): string[] | null =>
  kinds ? [...activityKinds].flatMap(([type, kind]) => (kinds.includes(kind) ? [type] : [])) : null;
