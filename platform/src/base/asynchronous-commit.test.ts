import { expect, test } from '@jest/globals';
import { useServices } from '@loyalty/test/harness/services';
import pg from 'pg';
import { guardWrite } from '../identity/write-guard.ts';
import { ASYNCHRONOUS_COMMIT } from './asynchronous-commit.ts';

const { services, ctx } = useServices();
const table = 'noted_later';

/** Returns whether the statement, in its own transaction, waited until its commit was on disk. */
async function waits(client: pg.Client, statement: string): Promise<boolean> {
  const { rows } = await client.query<{ mode: string }>(`${statement} RETURNING mode`);
  return rows[0]!.mode === 'on';
}

test('the setting is for the one transaction, and is made before it commits', async () => {
  const client = new pg.Client(services.url);
  await client.connect();
  try {
    await client.query('SET synchronous_commit = on');
    await client.query(`CREATE TABLE ${table} (mode text)`);
    const current = `current_setting('synchronous_commit')`;
    const insert = `INSERT INTO ${table} SELECT ${current}`;
    expect(await waits(client, `${insert} FROM ${ASYNCHRONOUS_COMMIT}`)).toBe(false);
    expect(await waits(client, insert)).toBe(true);
    const update = (from: string) => `UPDATE ${table} AS t SET mode = ${current} FROM ${from} WHERE true`;
    expect(await waits(client, update(`(SELECT 1) AS one, ${ASYNCHRONOUS_COMMIT}`))).toBe(false);
  } finally {
    await client.end();
  }
});

test('the count of a guarded write does not wait for the disk', async () => {
  services.statements.length = 0;
  await guardWrite(ctx, 'value');
  expect(services.statements.filter((text) => text.includes(ASYNCHRONOUS_COMMIT))).toHaveLength(1);
});
