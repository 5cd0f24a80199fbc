import { beforeAll, expect, test } from '@jest/globals';
import { clientOf } from '../harness/client.ts';
import { createTestDatabase } from '../harness/database/database.ts';
import { useStack } from '../harness/stack.ts';
import { environmentOf } from './environment.ts';
import { startProcess, startSeven } from './processes.ts';
import { runScenario, type Step } from './scenario.ts';

const together = useStack();
let expected: Step[];
const database = await createTestDatabase();

beforeAll(async () => {
  await together.work();
  expected = await runScenario(together);
}, 60_000);
together.beforeClose(() => database.drop());

test('seven processes answer the same story alike, also through a REST adapter apart, and end well', async () => {
  const seven = await startSeven(environmentOf(database.url));
  const adapter = await startProcess(['serve', 'rest-adapter'], { GATEWAY_URL: seven.url });
  try {
    expect(await runScenario(clientOf(seven.url))).toEqual(expected);
    const apart = { ...clientOf(seven.url), rest: clientOf(adapter.url).rest };
    expect(await runScenario(apart)).toEqual(expected);
  } finally {
    expect(await adapter.end()).toBe(0);
    expect(await seven.close()).toEqual(Array(7).fill(0));
  }
}, 120_000);
