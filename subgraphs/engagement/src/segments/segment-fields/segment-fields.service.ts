import type { Context } from '@loyalty/platform/context';
import {
  type ConditionField,
  type ConditionObject,
  conditionFields,
} from '../conditions/condition-fields.ts';
import { type MemberEvent, memberEvents } from '../conditions/occurrence-conditions.ts';
import { EVENT_LABELS } from './event-labels.ts';

export type { ConditionField };

/** Something that members do, for an editor of segments. */
export interface ConditionEvent {
  readonly key: string;
  readonly label: string;
  readonly placesOf: 'STORE' | 'COUPON_POOL';
}

const events = Object.entries(memberEvents).map(
  ([key, { places }]): ConditionEvent => ({
    key,
    label: EVENT_LABELS[key as MemberEvent],
    placesOf: places === 'store_ids' ? 'STORE' : 'COUPON_POOL',
  }),
);

/** What conditions can be about in the workspace. */
export interface SegmentFields {
  readonly fields: readonly ConditionField[];
  readonly events: readonly ConditionEvent[];
  readonly records: readonly ConditionObject[];
}

/** Everything that conditions can be about in the workspace. @throws AppError PEER_UNAVAILABLE (503) */
export async function listSegmentFields(ctx: Context): Promise<SegmentFields> {
  const { fields, objects } = await conditionFields(ctx);
  return { fields, events, records: objects };
}
