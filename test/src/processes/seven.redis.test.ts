import { expect, test } from '@jest/globals';
import { clientOf } from '../harness/client.ts';
import { createTestDatabase } from '../harness/database/database.ts';
import { environmentOf } from './environment.ts';
import { startSeven } from './processes.ts';
import { runScenario } from './scenario.ts';

test('seven processes that share Redis and seven that share only PostgreSQL answer alike', async () => {
  const stories = [];
  for (const more of [{}, { REDIS_URL: process.env['REDIS_URL']! }]) {
    const database = await createTestDatabase();
    const seven = await startSeven({ ...environmentOf(database.url), ...more });
    try {
      stories.push(await runScenario(clientOf(seven.url)));
    } finally {
      await seven.close();
      await database.drop();
    }
  }
  expect(stories[1]).toEqual(stories[0]);
}, 180_000);
