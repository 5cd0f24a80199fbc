import { beforeEach, describe, expect, test } from '@jest/globals';
import { DAY_MS } from '@loyalty/platform/base/clock';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { publishedEvents } from '@loyalty/test/harness/published-events';
import { callerOf, contextOf, useServices } from '@loyalty/test/harness/services';
import {
  createEnrollmentForm,
  setEnrollmentFormActive,
} from '../enrollment-forms/enrollment-forms.service.ts';
import { ask, given } from '../loyalty.fixture.ts';
import { requestErasure, setMemberStatus } from '../member-status/member-status.service.ts';
import { awardPoints } from '../points/points.service.ts';
import { place } from '../visits/visits.fixture.ts';
import { recordStoreVisit } from '../visits/visits.service.ts';
import {
  deactivateAmbassadorCode,
  issueAmbassadorCode,
  newCode,
  readCode,
} from './ambassador-codes.service.ts';
import { listCandidates, scoreAmbassadors } from './ambassador-scores.service.ts';
import { attributeReferral } from './referrals.service.ts';

const START = '2026-03-02T12:00:00.000Z';

const { services, ctx, fresh, newContext } = useServices();

beforeEach(async () => {
  services.clock.set(START);
  await place.workspace(ctx, 'America/New_York');
});

const ISSUE = `mutation ($id: ID!, $poolId: ID) { issueAmbassadorCode(memberId: $id, poolId: $poolId) {
  id code url poolId member { id } createdAt deactivatedAt } }`;
const POOL = `mutation { createCouponPool(
  input: {name: "Thanks", couponType: CUSTOM, discountDisplay: "a coffee"}) { id } }`;
const pool = async (): Promise<string> => (await ask(fresh(), POOL)).createCouponPool.id;
const issue = async (id: string, poolId?: string) =>
  (await ask(fresh(), ISSUE, { id, poolId })).issueAmbassadorCode;
const refer = async (code: string) => {
  const { id } = await given.member(ctx);
  await attributeReferral(ctx, id, code);
  return id;
};

describe('a code', () => {
  test('is one per member, of any number of concurrent calls, and published once', async () => {
    const { id } = await given.member(ctx);
    const poolId = await pool();
    const codes = await Promise.all(Array.from({ length: 40 }, () => issue(id, poolId)));
    expect(new Set(codes.map(({ code }) => code)).size).toBe(1);
    expect(codes[0]).toMatchObject({ poolId, member: { id }, createdAt: START, deactivatedAt: null });
    expect(await issue(id)).toEqual(codes[0]);
    expect(await publishedEvents(ctx, 'ambassador.code_issued')).toEqual([
      { memberId: id, codeId: codes[0].id },
    ]);
  });

  test('reads aloud: syllables without letters that look or sound alike', () => {
    const codes = Array.from({ length: 2_000 }, newCode);
    for (const code of codes)
      expect(code).toMatch(/^([BDFGHKLMNPRSTVZ][AEU]){2}(-([BDFGHKLMNPRSTVZ][AEU]){2}){2}$/);
    expect(new Set(codes).size).toBe(2_000);
    expect([' bade kufa mezu', 'BADEKUFAMEZU', 'bade–kufa–mezu'].map(readCode)).toEqual(
      Array(3).fill('BADE-KUFA-MEZU'),
    );
  });

  test('leads to the newest open form of the workspace', async () => {
    const { code, url } = await issue((await given.member(ctx)).id);
    expect(url).toMatch(new RegExp(`/enrol\\?ref=${code}$`));
    await createEnrollmentForm(ctx, { name: 'Old', source: 'WEB' });
    const form = await createEnrollmentForm(ctx, { name: 'New', source: 'WEB' });
    const urls = async () =>
      (await ask(fresh(), '{ ambassadorCodes { nodes { url } } }')).ambassadorCodes.nodes[0].url;
    expect(await urls()).toMatch(new RegExp(`/enrol/${form.token}\\?ref=${code}$`));
    await setEnrollmentFormActive(ctx, form.id, false);
    expect(await urls()).not.toContain(form.token);
  });

  test('ends once, audited, and its member may be issued another', async () => {
    const { id } = await given.member(ctx);
    const first = await issue(id);
    const END = 'mutation ($id: ID!) { deactivateAmbassadorCode(id: $id) { id deactivatedAt } }';
    for (let n = 0; n < 2; n += 1)
      expect((await ask(fresh(), END, { id: first.id })).deactivateAmbassadorCode).toEqual({
        id: first.id,
        deactivatedAt: START,
      });
    const audited = await ctx.sql.query('SELECT action FROM platform.audit_entries WHERE resource_id = $1', [
      first.id,
    ]);
    expect(audited).toEqual([{ action: 'deactivateAmbassadorCode' }]);
    const second = await issue(id);
    expect(second.id).not.toBe(first.id);
    const list = async (isLive?: boolean) =>
      (
        await ask(
          fresh(),
          'query ($id: ID, $isLive: Boolean) { ambassadorCodes(memberId: $id, isLive: $isLive) { totalCount nodes { id } } }',
          { id, isLive },
        )
      ).ambassadorCodes;
    expect(await list()).toEqual({ totalCount: 2, nodes: [{ id: second.id }, { id: first.id }] });
    expect((await list(true)).nodes).toEqual([{ id: second.id }]);
    expect((await list(false)).nodes).toEqual([{ id: first.id }]);
  });

  test('is not for members who leave, are unknown, or of another workspace or mode', async () => {
    const { id } = await given.member(ctx);
    const code = await issueAmbassadorCode(ctx, id, null);
    for (const caller of [callerOf(), callerOf({ workspaceId: ctx.scope.workspaceId, mode: 'TEST' })]) {
      const elsewhere = contextOf(services, caller);
      await expect(issueAmbassadorCode(elsewhere, id, null)).rejects.toMatchObject({
        code: 'MEMBER_NOT_FOUND',
      });
      await expect(deactivateAmbassadorCode(elsewhere, code.id)).rejects.toMatchObject({
        code: 'AMBASSADOR_CODE_NOT_FOUND',
      });
      expect((await ask(elsewhere, '{ ambassadorCodes { totalCount } }')).ambassadorCodes.totalCount).toBe(0);
    }
    const leaver = await given.member(ctx);
    await requestErasure(ctx, leaver.id);
    await expect(issue(leaver.id)).rejects.toMatchObject({ code: 'MEMBER_CLOSED' });
  });
});

const CANDIDATES = `query ($first: Int, $after: String, $offset: Int) { ambassadorCandidates(first: $first,
  after: $after, offset: $offset) { totalCount pageInfo { hasNextPage endCursor }
  nodes { member { id tier { name } } score referrals reasons scoredAt } } }`;

/**
 * Creates members: one with every fact at its maximum, one with some, one without any, and some that are not
 * eligible.
 */
async function company() {
  const tiers = await given.tiers(ctx, { Silver: 500, Gold: 2_000 });
  expect(Object.keys(tiers)).toHaveLength(2);
  const star = await given.member(ctx);
  const regular = await given.member(ctx);
  const barred = await Promise.all(Array.from({ length: 5 }, () => given.member(ctx)));
  for (const { id } of barred) await awardPoints(ctx, id, { amount: 2_000 });
  await awardPoints(ctx, star.id, { amount: 2_000 });
  await awardPoints(ctx, regular.id, { amount: 499 });
  const code = await issueAmbassadorCode(ctx, star.id, null);
  for (let n = 0; n < 5; n += 1) await refer(code.code);
  services.clock.advance(400 * DAY_MS);
  const storeId = await place.store(ctx);
  await recordStoreVisit(ctx, regular.id, storeId);
  services.clock.advance(91 * DAY_MS);
  for (let n = 0; n < 12; n += 1) {
    await recordStoreVisit(ctx, star.id, storeId);
    services.clock.advance(DAY_MS);
  }
  await setMemberStatus(ctx, barred[0]!.id, 'INACTIVE');
  await requestErasure(ctx, barred[1]!.id);
  for (const [column, id] of [
    [`status = 'UNSUBSCRIBED'`, barred[2]!.id],
    [`status = 'PENDING'`, barred[3]!.id],
    ['is_restricted = true', barred[4]!.id],
  ])
    await ctx.sql.query(`UPDATE loyalty.members SET ${column} WHERE id = $1`, [id]);
  const newcomer = await given.member(ctx);
  return { star, regular, newcomer, storeId };
}

describe('candidates', () => {
  test('come best first with plain reasons, without those who may not be asked', async () => {
    const { star, regular, newcomer } = await company();
    const { ambassadorCandidates: found } = await ask(fresh(), CANDIDATES, {});
    expect(found.totalCount).toBe(7);
    expect(found.nodes.slice(0, 2)).toEqual([
      {
        member: { id: star.id, tier: { name: 'Gold' } },
        score: 100,
        referrals: 5,
        reasons: [
          'Brought 5 members',
          'Earned 2,000 points',
          'Reached the tier Gold',
          'Visited stores 12 times in the last 90 days',
          'Has been a member for 16 months',
        ],
        scoredAt: services.clock.now().toISOString(),
      },
      {
        member: { id: regular.id, tier: null },
        // 30 × ln 500 ÷ ln 2001 = 24.5, and 10 for more than a year.
        score: 35,
        referrals: 0,
        reasons: ['Earned 499 points', 'Has been a member for 16 months'],
        scoredAt: services.clock.now().toISOString(),
      },
    ]);
    expect(JSON.stringify(found)).not.toContain(newcomer.id);
  });

  test('of large workspaces are scored at night, alike, and page without gap or repetition', async () => {
    await company();
    const fromNight = (where: Context, args = {}) => listCandidates(where, args, 2);
    expect((await fromNight(fresh())).rows).toEqual([]);
    await scoreAmbassadors(newContext(), { largeFrom: 2, chunkSize: 3 });
    expect((await fromNight(fresh())).rows).toEqual([]);
    await ctx.sql.query(
      `INSERT INTO workspace.module_switches (workspace_id, key, is_enabled, changed_at)
       VALUES ($1, 'ambassador', true, now())`,
      [ctx.scope.workspaceId],
    );
    for (let n = 0; n < 2; n += 1) await scoreAmbassadors(newContext(), { largeFrom: 2, chunkSize: 3 });
    const kept = await fromNight(fresh());
    expect(kept.rows).toEqual((await listCandidates(fresh(), {})).rows);
    expect(await kept.total()).toBe(7);
    for (const list of [fromNight, listCandidates]) {
      const ids: string[] = [];
      let after: string | null = null;
      for (;;) {
        const { rows, hasNextPage } = await list(fresh(), { first: 2, after });
        ids.push(...rows.map(({ id }) => id));
        if (!hasNextPage) break;
        after = Buffer.from(rows.at(-1)!.id).toString('base64url');
      }
      expect(ids).toEqual(kept.rows.map(({ id }) => id));
      expect((await list(fresh(), { first: 3, offset: 4 })).rows.map(({ id }) => id)).toEqual(ids.slice(4));
    }
    await setMemberStatus(ctx, kept.rows[0]!.id, 'INACTIVE');
    expect((await fromNight(fresh())).rows).toHaveLength(6);
    services.clock.advance(DAY_MS);
    await scoreAmbassadors(newContext(), { largeFrom: 2, chunkSize: 3 });
    const night = await fromNight(fresh());
    const { rows } = await listCandidates(fresh(), {});
    expect([night.rows, await night.total()]).toEqual([rows, 6]);
    services.clock.advance(DAY_MS);
    for (let n = 0; n < 2; n += 1)
      await scoreAmbassadors(newContext(), { largeFrom: 2, chunkSize: 3, kept: 2 });
    const best = await fromNight(fresh());
    expect(best.rows.map(({ id }) => id).slice(0, 1)).toEqual(rows.slice(0, 1).map(({ id }) => id));
    expect(await best.total()).toBe(2);
  });

  test('fifty cost as many statements as one', async () => {
    await given.tiers(ctx, { Bronze: 1 });
    for (let n = 0; n < 50; n += 1) await awardPoints(ctx, (await given.member(ctx)).id, { amount: n + 1 });
    const cost = async (first: number) => {
      services.statements.length = 0;
      const { ambassadorCandidates } = await ask(fresh(), CANDIDATES, { first });
      expect(ambassadorCandidates.nodes).toHaveLength(first);
      return services.statements.length;
    };
    expect(await cost(50)).toBe(await cost(1));
  });
});

test('everything of the module is refused while it is off', async () => {
  const off = fresh({ modules: [] });
  for (const query of [
    '{ ambassadorCandidates { totalCount } }',
    '{ ambassadorMetrics { ambassadors } }',
    '{ ambassadorCodes { totalCount } }',
    `mutation { issueAmbassadorCode(memberId: "${newId(ctx.clock)}") { id } }`,
    `mutation { deactivateAmbassadorCode(id: "${newId(ctx.clock)}") { id } }`,
  ])
    await expect(ask(off, query)).rejects.toMatchObject({ code: 'MODULE_DISABLED' });
});
