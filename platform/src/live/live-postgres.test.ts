import { expect, test } from '@jest/globals';
import pg from 'pg';
import { liveContract, remoteLiveContract } from './live.fixture.ts';
import { createPostgresLive } from './live-postgres.ts';

const url = process.env['LOYALTY_TEST_POSTGRES']!;
const connect = () => createPostgresLive({ url });

async function interrupt(): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'loyalty-live' and datname = current_database()`,
  );
  await client.end();
}

liveContract(connect);
remoteLiveContract(connect, interrupt);

test('what a transaction publishes is delivered when it commits, and not when it rolls back', async () => {
  const live = connect();
  await live.ready();
  const client = new pg.Client(url);
  await client.connect();
  const received = new Promise((resolve) => live.subscribe('member', resolve));
  for (const [id, end] of [
    ['1', 'rollback'],
    ['2', 'commit'],
  ]) {
    await client.query('begin');
    await client.query(`select pg_notify('loyalty_live', $1)`, [JSON.stringify(['member', id])]);
    await client.query(end!);
  }
  expect(await received).toBe('2');
  await client.end();
  await live.close();
});

test('a server out of reach is reported, tried again and can be closed', async () => {
  const errors: unknown[] = [];
  const firstErrors = Promise.withResolvers<void>();
  const live = createPostgresLive({
    url: 'postgres://nobody@127.0.0.1:1/nothing',
    onError: (error) => {
      errors.push(error);
      if (errors.length === 3) firstErrors.resolve();
    },
  });
  const published = live.publish('member', '1');
  await firstErrors.promise;
  await live.close();
  await expect(published).rejects.toThrow('closed');
  await expect(live.ready()).rejects.toThrow('closed');
});
