import { createRequire } from 'node:module';
import { expect, test } from '@jest/globals';
import { isUuid, newId } from '@loyalty/platform/base/ids';
import { eventStages } from '@loyalty/platform/work/events';
import { askOf } from '@loyalty/test/harness/ask';
import { useServices } from '@loyalty/test/harness/services';
import fc from 'fast-check';
import type { z } from 'zod';
import { engagement } from '../subgraph.ts';
import { type CatalogEvent, catalogEvents } from './catalog-events.ts';
import { eventBody, PING_EVENT } from './event-body.ts';
import { exampleBody, payloadSchema } from './event-payload.ts';

const { newContext } = useServices({ isWorkspaceShared: true });
const ask = askOf(engagement);

// Both are dependencies of fastify. As CommonJS modules they are typed by their default export.
const require = createRequire(import.meta.url);
const { default: Ajv } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
const addFormats = require('ajv-formats') as (ajv: object) => void;
const ajv = new Ajv({ allErrors: true });
addFormats(ajv);
const validate = ajv.compile(payloadSchema);
const faultsOf = (body: unknown): unknown[] => (validate(body) ? [] : (validate.errors ?? []));

const BANDS = ['0-25', '25-50', '50-100', '100-250', '250-500', '500+'];

const shapeOf = ({ type }: CatalogEvent): Readonly<Record<string, z.ZodType>> =>
  (type.schema as unknown as z.ZodObject).shape;

/** Personal data that somebody might write into a field by mistake. */
const personal = fc.constantFrom('ada@example.com', 'Ada Lovelace', '+351 912 345 678', 'Rua do Ouro 7');

/** Values that a field of a payload may have. */
function valuesOf(type: z.ZodType): fc.Arbitrary<unknown> {
  const { def } = type as unknown as { def: { type: string; format?: string; innerType?: z.ZodType } };
  if (def.type === 'nullable') return fc.option(valuesOf(def.innerType!), { freq: 3 });
  if (def.type === 'string')
    return def.format === 'uuid' || def.format === 'guid' ? fc.uuid({ version: 7 }) : personal;
  if (def.type === 'int' || def.type === 'number') return fc.integer({ min: 10_001, max: 1_000_000 });
  if (def.type === 'boolean') return fc.boolean();
  if (def.type === 'enum') return fc.constantFrom(...(type as z.ZodEnum).options);
  if (def.type === 'array') return fc.array(valuesOf((type as unknown as z.ZodArray<z.ZodType>).element));
  throw new Error(`The test has no values for ${def.type}.`);
}

const payloadsOf = (event: CatalogEvent) =>
  fc.record(Object.fromEntries(Object.entries(shapeOf(event)).map(([key, type]) => [key, valuesOf(type)])));

test.each(catalogEvents.map((event) => [event.key, event] as const))(
  'a body of %s has ids, tier and band of its payload, and nothing else',
  (_, event) => {
    const id = newId({ now: () => new Date('2026-03-02T10:00:00.000Z') });
    fc.assert(
      fc.property(payloadsOf(event), fc.option(fc.constant('Gold')), (payload, tier) => {
        expect(event.type.schema.safeParse(payload).error?.issues ?? []).toEqual([]);
        const createdAt = new Date('2026-03-02T10:00:00.000Z');
        const body = eventBody({ id, type: event.key, createdAt, sequence: 3n, tier, payload });
        const { memberId, amountBand } = payload as { memberId?: string | null; amountBand?: string };
        expect(body).toEqual({
          id,
          type: event.key,
          created_at: '2026-03-02T10:00:00.000Z',
          sequence: 3,
          data: {
            resource_id: payload[event.resource],
            ...(memberId && { member_ref: memberId }),
            ...(event.showsTier && tier && { tier }),
            ...(amountBand && { amount_band: amountBand }),
          },
        });
        expect(faultsOf(body)).toEqual([]);
        const text = JSON.stringify(body);
        expect(text).not.toMatch(/@|Lovelace|\+351|Rua/);
        const numbers = Object.values(payload).filter((value) => typeof value === 'number');
        for (const number of numbers) expect(JSON.stringify(body.data)).not.toContain(`:${number}`);
      }),
      { numRuns: 50 },
    );
  },
);

test.each(catalogEvents.map((event) => [event.key, event] as const))(
  'the example of %s is always the same and fits the schema',
  (_, event) => {
    const example = exampleBody(event);
    expect(faultsOf(example)).toEqual([]);
    expect(exampleBody(event)).toEqual(example);
    expect(isUuid(example.data.resource_id)).toBe(true);
    expect(example.data.tier !== undefined).toBe(event.showsTier);
    const hasBand = Object.hasOwn(shapeOf(event), 'amountBand');
    expect(BANDS.includes(example.data.amount_band ?? 'none')).toBe(hasBand);
    expect(event.stage === 'commerce' && 'orderId' in shapeOf(event)).toBe(hasBand);
    // The payload of a commerce event has a band, or its description says that it has none.
    expect(event.description.includes('no amount_band')).toBe(event.stage === 'commerce' && !hasBand);
  },
);

test('the schema refuses what no body has', () => {
  const good = exampleBody(catalogEvents[0]!);
  for (const change of [
    { id: 'x' },
    { type: 'member.imagined' },
    { created_at: 'yesterday' },
    { sequence: 0 },
    { data: { ...good.data, resource_id: undefined } },
    { data: { ...good.data, amount_band: '12.50' } },
  ])
    expect([change, validate({ ...good, ...change })]).toEqual([change, false]);
});

test('a test message is about its endpoint and has no sequence; an unknown type is about itself', () => {
  const [id, endpointId] = ['0197a3c2-4be0-7c31-9a55-2f6d1f0c8e11', '0197a3c2-4be0-7c31-9a55-2f6d1f0c8e12'];
  const made = { id, createdAt: new Date(0), sequence: null, tier: null };
  const payload = { webhookEndpointId: endpointId };
  const ping = eventBody({ ...made, type: PING_EVENT, payload });
  expect(ping).toMatchObject({ type: 'webhook.ping', sequence: null, data: { resource_id: endpointId } });
  expect(faultsOf(ping)).toEqual([]);
  expect(eventBody({ ...made, type: 'gone.from_catalog', payload }).data).toEqual({ resource_id: id });
});

test('the catalog lists every event by stage, each once, with the schema and the four headers', async () => {
  const query = `{ eventCatalog { events { key label description stage examplePayload }
    payload { schema headers { name description } } } }`;
  const { data } = await ask(newContext({ kind: 'KEY', scopes: ['webhooks:manage'] }), query);
  const { events, payload } = data.eventCatalog;
  expect(events.map(({ key }: { key: string }) => key)).toEqual(catalogEvents.map(({ key }) => key));
  expect(new Set(catalogEvents.map(({ key }) => key)).size).toBe(catalogEvents.length);
  const stages = events.map(({ stage }: { stage: string }) => stage);
  expect([...new Set(stages)]).toEqual(eventStages.map((stage) => stage.toUpperCase()));
  expect(stages.filter((stage: string, at: number) => stage !== stages[at - 1])).toHaveLength(6);
  for (const each of events) expect(each.examplePayload.type).toBe(each.key);
  expect(payload.schema).toMatchObject({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    required: ['id', 'type', 'created_at', 'sequence', 'data'],
  });
  expect(payload.headers.map(({ name }: { name: string }) => name)).toEqual([
    ...['webhook-id', 'webhook-timestamp', 'webhook-signature', 'content-type'],
  ]);
  expect((await ask(newContext({ kind: 'KEY', scopes: ['members:read'] }), query)).reason).toBe(
    'SCOPE_MISSING',
  );
});
