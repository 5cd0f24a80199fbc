import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, expect, test } from '@jest/globals';
import { createDatabase } from '@loyalty/prisma/client';
import { clientOf } from '../harness/client.ts';
import { createTestDatabase } from '../harness/database/database.ts';
import { eventually } from '../harness/eventually.ts';
import { environmentOf } from './environment.ts';
import { freePort, type Launched, launch, startProcess } from './processes.ts';

/** Seeding may take minutes on a slow machine. */
const SEEDED_MS = 600_000;

const database = await createTestDatabase();
const directory = await mkdtemp(join(tmpdir(), 'loyalty-demo-'));
const env = { ...environmentOf(database.url), LOYALTY_DEMO: '1', LOYALTY_DATA_DIR: directory };
const launched: Launched[] = [];

afterAll(async () => {
  await Promise.all(launched.map((one) => one.end('SIGKILL')));
  await database.drop();
  await rm(directory, { recursive: true, force: true });
});

/** Starts the product with a request timeout so short that hashing a password would exceed it. */
async function startHurried(): Promise<Launched> {
  const one = launch(['start'], { ...env, SUBGRAPH_TIMEOUT_MS: '100' }, await freePort());
  launched.push(one);
  return one;
}

const says = (processes: readonly Launched[], text: string) =>
  eventually(() => {
    for (const one of processes) if (one.hasEnded()) expect(one.output()).toBe('still running');
    const expected = processes.map(() => expect.stringContaining(text));
    expect(processes.map((one) => one.output())).toEqual(expected);
  }, SEEDED_MS);

const SIGN_IN = /sign in as (\S+) with the password (\S+)/;
const SEEDED = 'Seeded the demo workspace with 400 members';

test(
  'a demo whose seeding was killed is complete after the next start, and every start prints how to sign in',
  async () => {
    const killed = await startHurried();
    await says([killed], '20% of half a year');
    await killed.end('SIGKILL');

    const both = await Promise.all([startHurried(), startHurried()]);
    await says(both, 'Demo workspace: sign in as');
    expect(both.filter((one) => one.output().includes(SEEDED))).toHaveLength(1);
    expect(both.filter((one) => one.output().includes('removed and seeded anew'))).toHaveLength(1);
    expect(await Promise.all(both.map((one) => one.end()))).toEqual([0, 0]);

    const product = await startProcess(['start'], env);
    try {
      await eventually(() => expect(product.output()).toMatch(SIGN_IN));
      expect(product.output()).not.toContain('Seed');
      const [, email, password] = SIGN_IN.exec(product.output())!;
      const { rest, graph } = clientOf(product.url);
      const login = await rest('POST', '/api/v2/auth/login', { body: { email, password } });
      expect(login.status).toBe(200);
      const { data } = await graph(
        `{ viewer { workspace { name } }
           members { totalCount }
           campaigns { nodes { status } }
           journeys { nodes { status } }
           automations { nodes { status } } }`,
        {},
        login.body.token,
      );
      expect(data).toEqual({
        viewer: { workspace: { name: 'Harbour Coffee' } },
        members: { totalCount: 400 },
        campaigns: { nodes: [{ status: 'SENT' }] },
        journeys: { nodes: [{ status: 'ACTIVE' }] },
        automations: { nodes: [{ status: 'ACTIVE' }] },
      });
    } finally {
      await product.end();
    }
  },
  3 * SEEDED_MS,
);

test(
  'a seeding that is asked to stop ends what it writes, then the process ends with 0 and has closed nothing before',
  async () => {
    const other = await createTestDatabase();
    const one = launch(
      ['start'],
      { ...env, ...environmentOf(other.url), LOYALTY_DEMO: '1' },
      await freePort(),
    );
    launched.push(one);
    await says([one], '0% of half a year');
    const timeouts = { statementTimeoutMs: SEEDED_MS, lockTimeoutMs: SEEDED_MS };
    const locking = createDatabase({ url: other.url, ...timeouts });
    try {
      const { end } = await locking.transaction(async ({ sql }) => {
        await sql.query('LOCK TABLE loyalty.member_consents IN SHARE MODE');
        await eventually(async () => {
          const waiting = await sql.query(
            `SELECT FROM pg_stat_activity WHERE datname = current_database()
                AND application_name = 'loyalty-unattended' AND wait_event_type = 'Lock'`,
          );
          expect(waiting).not.toEqual([]);
        });
        const stopped = one.end();
        // Longer than all other steps of the shutdown take.
        await Promise.race([stopped, delay(3_000)]);
        expect(one.hasEnded()).toBe(false);
        return { end: stopped };
      });
      expect(await end).toBe(0);
      // Other work that waits for the lock may report that it could not continue.
      expect(one.output()).not.toMatch(/Live events are closed|after commit failed|"level":"(error|fatal)"/);
    } finally {
      await locking.close();
    }
    await other.drop();
  },
  SEEDED_MS,
);
