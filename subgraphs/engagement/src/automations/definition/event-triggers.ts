import { usesBy } from '../../events/described-events.ts';

/** Triggers by event: the event that begins the actions, and what may narrow it down. */
export interface EventTriggerKind {
  readonly label: string;
  readonly event: string;
  /** Keys of the trigger that list ids, and the fields of the payload that must be one of them. */
  readonly filters: Readonly<Record<string, string>>;
}

export const eventTriggers: Readonly<Record<string, EventTriggerKind>> = Object.fromEntries(
  [...usesBy('trigger')].map(([event, { kind, label, filters = {} }]) => [kind, { label, event, filters }]),
);
