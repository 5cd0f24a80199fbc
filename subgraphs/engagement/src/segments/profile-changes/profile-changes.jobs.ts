import type { EventConsumer } from '@loyalty/platform/outbox/event-consumer';
import { noteChanges } from './note-changes.service.ts';
import { memberEvents, rebuildEvents, recordEvents } from './profile-events.ts';

/** Notes what events may have changed, of workspaces whose profiles are kept. */
export const noteProfileChanges: EventConsumer = {
  name: 'engagement.note-profile-changes',
  types: new Set([...memberEvents.keys(), ...recordEvents, ...rebuildEvents.keys()]),
  take: noteChanges,
};
