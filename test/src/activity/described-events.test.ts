import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { describedEvents } from '@loyalty/engagement-subgraph/events/described-events';
import { engagement } from '@loyalty/engagement-subgraph/subgraph';
import type { EventType } from '@loyalty/platform/work/events';
import type { GraphQLEnumType } from 'graphql';
import type { z } from 'zod';

const subgraphs = join(import.meta.dirname, '../../../subgraphs');
const declared: EventType<unknown>[] = [];

beforeAll(async () => {
  for (const subgraph of readdirSync(subgraphs)) {
    const source = join(subgraphs, subgraph, 'src');
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' });
    for (const file of files.filter((path) => path.endsWith('.events.ts'))) {
      const exported = (await import(join(source, file))) as Record<string, Partial<EventType<unknown>>>;
      for (const word of Object.values(exported)) if (word.schema) declared.push(word as EventType<unknown>);
    }
  }
});

const shapeOf = ({ schema }: Pick<EventType<unknown>, 'schema'>) => (schema as z.ZodObject).shape;
const typesOf = (events: readonly Pick<EventType<unknown>, 'type'>[]) =>
  events.map(({ type }) => type).sort();

test('every event that names a member is an activity, or is declared not to be one', () => {
  const naming = declared.filter((event) => Object.hasOwn(shapeOf(event), 'memberId'));
  expect(naming.length).toBeGreaterThanOrEqual(30);
  const hasKind = declared.filter(({ uses }) => uses.activity !== undefined);
  expect(typesOf(hasKind)).toEqual(typesOf(naming));
});

test('every event that is used is in the list of events once', () => {
  const used = declared.filter(({ uses }) => Object.keys(uses).length > 0);
  expect(used.length).toBeGreaterThanOrEqual(50);
  expect(typesOf(describedEvents)).toEqual(typesOf(used));
});

test('each kind of activity belongs to one event, and the schema has a kind for each event', () => {
  const kinds = describedEvents.flatMap(({ uses }) => uses.activity ?? []);
  const { values = [] } = (engagement.schema.getType('ActivityKind') as GraphQLEnumType).toConfig();
  const names = Object.keys(values);
  expect(kinds.toSorted()).toEqual(names.toSorted());
});
