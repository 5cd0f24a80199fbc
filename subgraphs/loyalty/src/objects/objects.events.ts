import { event } from '@loyalty/platform/work/events';
import { z } from 'zod';

/** A definition was created, changed, published, hidden or archived. */
export const objectTypeChanged = event(
  'object_type.changed',
  z.object({ objectTypeId: z.uuid(), objectType: z.string() }),
);

/** A required field with a default was added to a type that has records: they need the default. */
export const objectFieldAdded = event(
  'object_type.required_field_added',
  z.object({ objectTypeId: z.uuid(), key: z.string() }),
);

/** Events contain the id of the record and the machine name of its type, never its data. */
const payload = z.object({ recordId: z.uuid(), objectType: z.string() });

export const recordCreated = event('record.created', payload, {
  webhook: {
    stage: 'engagement',
    resource: 'recordId',
    label: 'Record created',
    description: 'A record of a custom object was created.',
  },
  changes: 'RECORD',
});

/** Fields were changed, or a deleted record was restored. */
export const recordUpdated = event('record.updated', payload, {
  webhook: {
    stage: 'engagement',
    resource: 'recordId',
    label: 'Record updated',
    description: 'A record of a custom object was changed or restored.',
  },
  changes: 'RECORD',
});

export const recordDeleted = event('record.deleted', payload, {
  webhook: {
    stage: 'engagement',
    resource: 'recordId',
    label: 'Record deleted',
    description: 'A record of a custom object was deleted.',
  },
  changes: 'RECORD',
});
