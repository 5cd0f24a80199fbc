import { expect, test } from '@jest/globals';
import { useServices } from '@loyalty/test/harness/services';
import pg from 'pg';
import { queueConnections } from './queues.ts';

const { services } = useServices();

test('what the queue notes of its jobs does not wait for the disk', async () => {
  const client = new pg.Client(queueConnections(services.url));
  await client.connect();
  try {
    const { rows } = await client.query(
      `SELECT setting, source FROM pg_settings WHERE name = 'synchronous_commit'`,
    );
    expect(rows).toEqual([{ setting: 'off', source: 'client' }]);
  } finally {
    await client.end();
  }
});
