import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { activityKinds, notActivity } from '@loyalty/engagement-subgraph/member-data/activity/activity-kinds';
import type { EventType } from '@loyalty/platform/outbox/events';
import type { z } from 'zod';

const subgraphs = join(import.meta.dirname, '../../../subgraphs');

test('every event of every subgraph that names a member is an activity, or known to be none', async () => {
  const named = new Set<string>();
  for (const subgraph of readdirSync(subgraphs)) {
    const source = join(subgraphs, subgraph, 'src');
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' });
    for (const file of files.filter((path) => path.endsWith('.events.ts'))) {
      const words = (await import(join(source, file))) as Record<string, Partial<EventType<unknown>>>;
      for (const { type, schema } of Object.values(words)) {
        if (type && Object.hasOwn((schema as z.ZodObject).shape, 'memberId')) named.add(type);
      }
    }
  }
  const known = [...activityKinds.keys(), ...notActivity];
  expect([...named].filter((type) => !known.includes(type))).toEqual([]);
  expect(known.filter((type) => !named.has(type))).toEqual([]);
  expect(named.size).toBeGreaterThanOrEqual(30);
});

test('each kind belongs to one event', () => {
  expect(new Set(activityKinds.values()).size).toBe(activityKinds.size);
});
