import { createHash } from 'node:crypto';
import { orderCreated } from '@loyalty/commerce-subgraph/orders/orders.events';
import { z } from 'zod';
import { type CatalogEvent, catalogEvents, hasField } from './catalog-events.ts';
import { type EventBody, eventBody, PING_EVENT } from './event-body.ts';

const { amountBand } = (orderCreated.schema as unknown as z.ZodObject<{ amountBand: z.ZodEnum }>).shape;

const body = z
  .object({
    id: z.uuid().describe('The same as the header webhook-id.'),
    type: z.enum([...catalogEvents.map(({ key }) => key), PING_EVENT]).describe('Key of the event.'),
    created_at: z.iso.datetime().describe('When it happened.'),
    sequence: z
      .int()
      .min(1)
      .nullable()
      .describe('Increases with each event of the workspace. Null for a test message.'),
    data: z.object({
      resource_id: z.uuid().describe('What the event is about. Read it through the API.'),
      member_ref: z.uuid().optional().describe("The member's id. Absent where there is no member."),
      tier: z.string().optional().describe("Name of the member's tier, in events about loyalty."),
      amount_band: amountBand
        .optional()
        .describe(
          "Band of the amount, in major units of the order's currency, in events about one order or refund.",
        ),
    }),
  })
  .describe('The body of a delivery. Fields may be added to it: ignore those that you do not know.');

/** JSON Schema 2020-12 of all bodies. */
export const payloadSchema = z.toJSONSchema(body, { target: 'draft-2020-12', io: 'input' });

/** The headers of all deliveries. */
export const payloadHeaders: { readonly name: string; readonly description: string }[] = [
  {
    name: 'webhook-id',
    description: 'Id of the event, the same in every attempt and replay: ignore an id that you had before.',
  },
  {
    name: 'webhook-timestamp',
    description: 'When this attempt was signed, in Unix seconds. Refuse it if it is older than 300 seconds.',
  },
  {
    name: 'webhook-signature',
    description:
      'One or more `v1,<base64>`, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.' +
      '<body>` with the decoded part of the secret after `whsec_`. Accept it if one of them matches.',
  },
  { name: 'content-type', description: 'application/json' },
];

const EXAMPLE_AT = new Date('2026-03-02T09:30:00.000Z');

/** A fixed example id for a name. */
function exampleId(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  const time = EXAMPLE_AT.getTime().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex.slice(0, 3)}-8${hex.slice(3, 6)}-${hex.slice(6, 18)}`;
}

/** A fixed example body of an event. */
export function exampleBody(event: CatalogEvent): EventBody {
  const payload = {
    [event.resource]: exampleId(event.resource),
    ...(hasField(event, 'memberId') && { memberId: exampleId('memberId') }),
    ...(hasField(event, 'amountBand') && { amountBand: '50-100' }),
  };
  const { key: type } = event;
  return eventBody({ id: exampleId(type), type, createdAt: EXAMPLE_AT, sequence: 42, tier: 'Gold', payload });
}
