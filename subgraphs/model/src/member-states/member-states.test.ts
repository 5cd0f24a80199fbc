import { describe, expect, test } from '@jest/globals';
import { addMs, DAY_MS } from '@loyalty/platform/base/clock';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { ask, entities } from '@loyalty/test/harness/ask';
import { contextOf, useServices } from '@loyalty/test/harness/services';
import { call, given } from '../capabilities/capabilities.fixture.ts';
import { score } from '../standard-model/score.ts';
import { stateRow } from '../standard-model/state-row.ts';
import { emptyBlock, NO_FIGURES } from '../standard-model/statistics-block.ts';
import { model } from '../subgraph.ts';
import { saveAnalyses } from './analyses.service.ts';

const { services, newContext } = useServices();

const STATE = `... on Member { state {
  member { id } status limitations modelVersion sourceCutoff updatedAt jobId
  evidence { kind value observedAt }
  purchase { score status horizonDays reasons } longGap { score status horizonDays }
  cartRemoval { score status horizonDays }
} }`;
const statesOf = async (ctx: Context, ids: readonly string[]) => {
  const references = ids.map((id) => ({ __typename: 'Member', id }));
  const { data } = await ask(model, contextOf(services, ctx.caller), entities(STATE), { references });
  return data._entities.map(({ state }: { state: unknown }) => state);
};
const stateFor = (ctx: Context, member_id: string) => call(ctx, 'model_get_consumer_state', { member_id });
/** Returns a state this many days after now, recognizable by its sessions. */
const stateAt = (ctx: Context, memberId: string, days: number, sessions: number) => {
  const cutoff = { ms: addMs(ctx.clock.now(), days * DAY_MS).getTime(), day: 20_000 + days };
  const empty = emptyBlock(1);
  const row = stateRow(
    empty,
    score(empty, cutoff, {
      version: 'std-1',
      pool: { adds: 0, removes: 0 },
      figures: NO_FIGURES,
    }),
    0,
    cutoff,
  );
  return {
    id: newId(ctx.clock),
    capability: 'model_get_consumer_state',
    memberId,
    status: row.status,
    result: {},
    credits: 0,
    modelVersion: 'std-1',
    actor: ctx.caller.actor,
    stateRow: { ...row, sessions },
    sourceCutoff: new Date(cutoff.ms),
  };
};
const sessionsIn = ({ evidence }: { evidence: readonly { kind: string; value: unknown }[] }) =>
  evidence.find(({ kind }) => kind === 'sessions')!.value;

describe('the state of a member', () => {
  test('is null before the first, then what the last call said', async () => {
    const ctx = newContext();
    const memberId = await given.buyer(ctx);
    expect(await statesOf(ctx, [memberId])).toEqual([null]);
    const { data } = await stateFor(ctx, memberId);
    const { envelope, data: said } = data.callCapability;
    expect(await statesOf(ctx, [memberId])).toEqual([
      {
        member: { id: memberId },
        status: 'OK',
        limitations: envelope.limitations,
        evidence: envelope.evidence,
        modelVersion: 'std-2',
        sourceCutoff: '2026-03-02T10:00:00.000Z',
        updatedAt: '2026-03-02T10:00:00.000Z',
        jobId: null,
        purchase: { score: said.purchase.score, status: 'OK', horizonDays: 30, reasons: [] },
        longGap: { score: said.long_gap.score, status: 'OK', horizonDays: 90 },
        cartRemoval: { score: null, status: 'UNAVAILABLE', horizonDays: null },
      },
    ]);
  });

  test('is not touched by a single signal', async () => {
    const ctx = newContext();
    const memberId = await given.buyer(ctx);
    await call(ctx, 'model_predict_purchase', { member_id: memberId });
    expect(await statesOf(ctx, [memberId])).toEqual([null]);
  });

  test('is hidden while the member is restricted, and gone with an erased one', async () => {
    const ctx = newContext();
    const memberId = await given.buyer(ctx);
    await stateFor(ctx, memberId);
    await given.restricted(ctx, memberId);
    expect(await statesOf(ctx, [memberId])).toEqual([null]);
    await given.restricted(ctx, memberId, false);
    expect(await statesOf(ctx, [memberId])).toMatchObject([{ status: 'OK' }]);
    await given.erased(ctx, memberId);
    expect(await statesOf(ctx, [memberId])).toEqual([null]);
  });

  test('is not shown to another workspace or mode', async () => {
    const ctx = newContext();
    const memberId = await given.buyer(ctx);
    await stateFor(ctx, memberId);
    expect(await statesOf(newContext(), [memberId])).toEqual([null]);
    const sandbox = newContext({ workspaceId: ctx.scope.workspaceId, mode: 'TEST' });
    expect(await statesOf(sandbox, [memberId])).toEqual([null]);
  });

  test('takes as many statements for 30 members as for one', async () => {
    const ctx = newContext();
    const ids: string[] = [];
    for (let count = 0; count < 30; count += 1) ids.push(await given.member(ctx));
    await saveAnalyses(
      ctx,
      ids.map((id) => stateAt(ctx, id, 0, 1)),
    );
    const statementsFor = async (asked: readonly string[]) => {
      services.statements.length = 0;
      expect(await statesOf(ctx, asked)).not.toContain(null);
      return services.statements.length;
    };
    expect(await statementsFor(ids)).toBe(await statementsFor(ids.slice(0, 1)));
  });
});

describe('a saved state', () => {
  test('is replaced by one of a newer or the same cutoff, never by an older one', async () => {
    const ctx = newContext();
    const memberId = await given.member(ctx);
    const sessionsAfter = async (days: number, sessions: number) => {
      await saveAnalyses(ctx, [stateAt(ctx, memberId, days, sessions)]);
      return sessionsIn((await statesOf(ctx, [memberId]))[0]);
    };
    expect(await sessionsAfter(0, 1)).toBe(1);
    expect(await sessionsAfter(-1, 2)).toBe(1);
    expect(await sessionsAfter(0, 3)).toBe(3);
    expect(await sessionsAfter(1, 4)).toBe(4);
  });

  test('of several in one list is the newest', async () => {
    const ctx = newContext();
    const memberId = await given.member(ctx);
    const days = [0, 2, 1];
    await saveAnalyses(
      ctx,
      days.map((day) => stateAt(ctx, memberId, day, day)),
    );
    expect((await statesOf(ctx, [memberId])).map(sessionsIn)).toEqual([2]);
  });

  test('is the newest after many writers at once, none of which waits for another forever', async () => {
    const ctx = newContext();
    const ids = [await given.member(ctx), await given.member(ctx), await given.member(ctx)];
    await Promise.all(
      Array.from({ length: 20 }, (_, day) => {
        const rows = ids.map((id) => stateAt(ctx, id, day, day));
        return saveAnalyses(ctx, day % 2 ? rows : rows.reverse());
      }),
    );
    expect((await statesOf(ctx, ids)).map(sessionsIn)).toEqual([19, 19, 19]);
  });
});
