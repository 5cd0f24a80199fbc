import { event } from '@loyalty/platform/outbox/events';
import { z } from 'zod';

/** A definition was made, changed, published, hidden or archived. */
export const objectTypeChanged = event(
  'object_type.changed',
  z.object({ objectTypeId: z.uuid(), objectType: z.string() }),
);

/** A required field with a default was added to a type that has records: they need the default. */
export const objectFieldAdded = event(
  'object_type.required_field_added',
  z.object({ objectTypeId: z.uuid(), key: z.string() }),
);
