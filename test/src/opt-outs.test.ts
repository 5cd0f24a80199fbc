import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { suppressAddressJob } from '@loyalty/engagement-subgraph/suppressions/suppressions.jobs';
import { unsubscribe } from '@loyalty/engagement-subgraph/suppressions/suppressions.service';
import { createMember } from '@loyalty/loyalty-subgraph/member-details/member-details.service';
import { markUnsubscribedJob } from '@loyalty/loyalty-subgraph/member-status/member-status.jobs';
import { setMemberStatus } from '@loyalty/loyalty-subgraph/member-status/member-status.service';
import { awardPoints } from '@loyalty/loyalty-subgraph/points/points.service';
import { EMAIL_INDEX } from '@loyalty/platform/base/email';
import type { Context, Peers } from '@loyalty/platform/context';
import { eventually } from './harness/eventually.ts';
import { contextOf, useServices } from './harness/services.ts';
import { type Enrolment, enrolments, ways } from './opt-outs.fixture.ts';

const { services, ctx, fresh } = useServices();

const enrol = (way: Enrolment, email: string, own = fresh()) => enrolments[way](own, email);
const indexOf = async (email: string) =>
  (await services.keyring.of(ctx.scope.workspaceId)).index(email, EMAIL_INDEX);

/** Runs the job with which loyalty reacts to the event of engagement. */
const work = async (email: string) => markUnsubscribedJob.run(fresh(), { emailIndex: await indexOf(email) });

const standings = () =>
  ctx.sql.query<{ status: string; isUnsubscribed: boolean; consents: boolean | null; changes: number }>(
    `SELECT m.status, m.is_unsubscribed, c.is_granted AS consents,
            (SELECT count(*)::int FROM loyalty.consent_changes AS h WHERE h.member_id = m.id) AS changes
       FROM loyalty.members AS m
       LEFT JOIN loyalty.member_consents AS c ON c.member_id = m.id AND c.purpose = 'EMAIL_MARKETING'
      WHERE m.workspace_id = $1 AND m.mode = 'LIVE' ORDER BY m.id`,
    [ctx.scope.workspaceId],
  );
const optedOut = (way: Enrolment) => ({
  status: way === 'FORM' ? 'PENDING' : 'UNSUBSCRIBED',
  isUnsubscribed: true,
  consents: false,
  changes: 1,
});

test.each(ways)(
  '%s of an unsubscribed address is unsubscribed at once, before any event is worked off',
  async (way) => {
    await unsubscribe(fresh(), 'ada@example.com');
    await enrol(way, 'ada@example.com');
    expect(await standings()).toEqual([optedOut(way)]);
    await work('ada@example.com');
    expect(await standings()).toEqual([optedOut(way)]);
  },
);

test.each(ways)('%s of an address that is mailed, or that bounced, consents as before', async (way) => {
  await ctx.sql.query(
    `INSERT INTO engagement.suppressions (id, workspace_id, mode, email_index, reason, created_at)
     VALUES (gen_random_uuid(), $1, 'LIVE', $2, 'BOUNCED', now())`,
    [ctx.scope.workspaceId, await indexOf('ada@example.com')],
  );
  await unsubscribe(fresh({ mode: 'TEST' }), 'ada@example.com');
  await enrol(way, 'ada@example.com');
  const status = way === 'FORM' ? 'PENDING' : 'ACTIVE';
  expect(await standings()).toEqual([{ status, isUnsubscribed: false, consents: null, changes: 0 }]);
});

/** Starts an enrolment and stops it after it received the answer of engagement; `letGo` lets it continue. */
function heldEnrolment(way: Enrolment, email: string) {
  const [asked, letGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const peers: Peers = {
    ...services.peers,
    async ask(own, peer, question, variables) {
      const answer = await services.peers.ask(own, peer, question, variables);
      if (peer !== 'engagement') return answer;
      asked.resolve();
      await letGo.promise;
      return answer;
    },
  };
  const enrolled = enrol(way, email, contextOf({ ...services, peers }, ctx.caller));
  return { asked: asked.promise, letGo: letGo.resolve, enrolled };
}

const isSomebodyWaiting = async () =>
  (await services.database.sql.query("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"))
    .length > 0;

test.each(ways)('an address that unsubscribes in the midst of %s is not missed by the event', async (way) => {
  const { asked, letGo, enrolled } = heldEnrolment(way, 'ada@example.com');
  await Promise.race([asked, enrolled]);
  await unsubscribe(fresh(), 'ada@example.com');
  let isWorkedOff = false;
  const worked = work('ada@example.com').then(() => {
    isWorkedOff = true;
  });
  await eventually(async () => expect(isWorkedOff || (await isSomebodyWaiting())).toBe(true));
  letGo();
  await Promise.all([enrolled, worked]);
  expect(await standings()).toEqual([optedOut(way)]);
});

test('a thousand enrolments and opt-outs of the same addresses, however they cross, lose no opt-out', async () => {
  let seed = 20_261_122;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  const after = async (turns: number) => {
    for (let turn = 0; turn < turns; turn += 1) await setImmediate();
  };
  const firsts: Record<string, number> = { ENROLLED: 0, UNSUBSCRIBED: 0 };
  const cross = async (n: number) => {
    const [way, email] = [ways[n % ways.length]!, `cross-${n}@example.com`];
    const [one, other] = [random(60), random(60)];
    const order: string[] = [];
    await Promise.all([
      after(one).then(async () => {
        await enrol(way, email);
        order.push('ENROLLED');
      }),
      after(other).then(async () => {
        await unsubscribe(fresh(), email);
        order.push('UNSUBSCRIBED');
        await work(email);
      }),
    ]);
    firsts[order[0]!]! += 1;
  };
  for (let from = 0; from < 1_000; from += 40) {
    await Promise.all(Array.from({ length: 40 }, (_, n) => cross(from + n)));
  }
  const found = await standings();
  expect(found).toHaveLength(1_000);
  const wrong = found.filter(
    ({ status, isUnsubscribed, consents, changes }) =>
      !['UNSUBSCRIBED', 'PENDING'].includes(status) || !isUnsubscribed || consents !== false || changes !== 1,
  );
  expect(wrong).toEqual([]);
  for (const times of Object.values(firsts)) expect(times).toBeGreaterThan(50);
}, 300_000);

/** Gives the workspace a new index key that is old enough for every process to have loaded it. */
async function rotateIndexKey(): Promise<void> {
  const { workspaceId } = ctx.scope;
  await services.keyring.rotateKey(workspaceId, 'INDEX');
  const age = `UPDATE platform.workspace_keys SET created_at = created_at - interval '1 hour'
                WHERE workspace_id = $1`;
  await services.database.sql.query(age, [workspaceId]);
  services.keyring.forget(workspaceId);
}

/** Runs the job for every published event of a type. */
async function workOff(type: string, job: { run(own: Context, payload: unknown): Promise<void> }) {
  const sql = 'SELECT payload FROM platform.outbox WHERE workspace_id = $1 AND type = $2';
  for (const { payload } of await ctx.sql.query<{ payload: unknown }>(sql, [ctx.scope.workspaceId, type]))
    await job.run(fresh(), payload);
}

test('an opt-out is not lost when the workspace changes its index key in between', async () => {
  await createMember(fresh(), { email: 'before@example.com' });
  await unsubscribe(fresh(), 'after@example.com');
  await rotateIndexKey();
  await createMember(fresh(), { email: 'after@example.com' });
  await unsubscribe(fresh(), 'before@example.com');
  await workOff('loyalty.email_consent_withdrawn', suppressAddressJob);
  await workOff('engagement.address_suppressed', markUnsubscribedJob);
  expect(await standings()).toEqual([optedOut('POST'), optedOut('POST')]);
  const suppressed = await ctx.sql.query(
    `SELECT 1 FROM loyalty.members AS m JOIN engagement.suppressions AS s
         ON s.workspace_id = m.workspace_id AND s.mode = m.mode AND s.email_index = m.email_index
      WHERE m.workspace_id = $1`,
    [ctx.scope.workspaceId],
  );
  expect(suppressed).toHaveLength(2);
});

test('a member who joined by a form, or was inactive, gets the status unsubscribed, not active, when something happens', async () => {
  await unsubscribe(fresh(), 'ada@example.com');
  const pending = await createMember(fresh(), { email: 'ada@example.com', enrollmentSource: 'WEB' });
  const inactive = await createMember(fresh(), { email: 'bo@example.com' });
  const set = await createMember(fresh(), { email: 'cy@example.com' });
  for (const { id } of [inactive, set]) await setMemberStatus(fresh(), id, 'INACTIVE');
  for (const email of ['bo@example.com', 'cy@example.com']) {
    await unsubscribe(fresh(), email);
    await work(email);
  }
  await awardPoints(fresh(), pending.id, { amount: 5 });
  await awardPoints(fresh(), inactive.id, { amount: 5 });
  expect((await setMemberStatus(fresh(), set.id, 'ACTIVE')).status).toBe('UNSUBSCRIBED');
  expect((await standings()).map(({ status }) => status)).toEqual(Array(3).fill('UNSUBSCRIBED'));
});
