import type { Context } from '@loyalty/platform/context';
import { accessOfEvent, accessOfField, accessOfRecords, mayName } from '../conditions/condition-access.ts';
import {
  type ConditionField,
  type ConditionObject,
  conditionFields,
} from '../conditions/condition-fields.ts';
import { memberEvents } from '../conditions/occurrence-conditions.ts';

export type { ConditionField };

/** Something that members do, for an editor of segments. */
export interface ConditionEvent {
  readonly key: string;
  readonly label: string;
  readonly placesOf: 'STORE' | 'COUPON_POOL';
}

const events = [...memberEvents].map(
  ([key, { label, places }]): ConditionEvent => ({
    key,
    label,
    placesOf: places === 'store_ids' ? 'STORE' : 'COUPON_POOL',
  }),
);

/** What conditions can be about in the workspace. */
export interface SegmentFields {
  readonly fields: readonly ConditionField[];
  readonly events: readonly ConditionEvent[];
  readonly records: readonly ConditionObject[];
}

/** All that conditions of the caller can be about. @throws AppError PEER_UNAVAILABLE (503) */
export async function listSegmentFields(ctx: Context): Promise<SegmentFields> {
  const { fields, objects } = await conditionFields(ctx);
  return {
    fields: fields.filter(({ key }) => mayName(ctx.caller, accessOfField(key))),
    events: events.filter(({ key }) => mayName(ctx.caller, accessOfEvent(key))),
    records: mayName(ctx.caller, accessOfRecords()) ? objects : [],
  };
}
