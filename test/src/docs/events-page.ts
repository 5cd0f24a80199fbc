import { catalogEvents } from '@loyalty/engagement-subgraph/events/catalog-events';
import { type DescribedEvent, describedEvents } from '@loyalty/engagement-subgraph/events/described-events';
import { eventStages } from '@loyalty/platform/work/events';
import type { z } from 'zod';
import { code, codes, row, table } from './markdown.ts';

const fieldsOf = ({ schema }: DescribedEvent): string =>
  codes(Object.keys((schema as unknown as z.ZodObject).shape));

const stages = eventStages.map((stage) => {
  const rows = catalogEvents
    .filter((event) => event.stage === stage)
    .map(({ key, description, resource, type }) =>
      row(code(key), description, code(resource), fieldsOf(type)),
    );
  return `### ${stage[0]!.toUpperCase()}${stage.slice(1)}\n\n${table(
    ['Event', 'What happened', '`resource_id`', 'Payload within the product'],
    rows,
  )}`;
});

const uses = describedEvents.map(({ type, uses: { activity, trigger, condition, changes, changesAll } }) => {
  const changed = changes === 'RECORD' ? 'records' : (changes ?? changesAll ?? []).join(', ').toLowerCase();
  const scope = changesAll ? `${changed} of everybody` : changed;
  return row(
    code(type),
    activity ? code(activity) : '',
    trigger ? code(trigger.kind) : '',
    condition ? condition.label : '',
    scope,
  );
});

/** `docs/events.md`, from what the events say of themselves. */
export const eventsPage = `# Events

This page is generated from the events' own descriptions: \`npm run docs\` writes it, \`npm run check\` compares.

An event is published with the change that it is about, or not at all, and is delivered at least once. It
carries ids and counts, never personal data. It is declared beside its noun, in \`*.events.ts\`, with what it is
used for.

## What integrations subscribe to

A delivery has \`id\`, \`type\`, \`created_at\`, \`sequence\` and \`data\`: \`resource_id\`, and where they apply
\`member_ref\`, \`tier\` and \`amount_band\`. Everything else is read through the API.

${stages.join('\n\n')}

## What else they are used for

The timeline shows an event as the activity of this kind, an automation begins with the trigger of this name,
segments count it under this label, and it may change these aspects of what segments know of a member.

${table(['Event', 'Activity', 'Trigger', 'Counted as', 'Changes'], uses)}
`;
