import { describe, expect, test } from '@jest/globals';
import type { Context } from '@loyalty/platform/context';
import { askPeer } from '@loyalty/test/harness/peers';
import { useServices } from '@loyalty/test/harness/services';
import { findMembers } from '../members/members.service.ts';
import { csv, faultsOf, imported, memberHeader, memberOf } from './data-imports.fixture.ts';
import { confirmDataImport, previewDataImport } from './data-imports.service.ts';

const { newContext } = useServices();

const members = (...lines: string[]) => csv('MEMBERS', memberHeader, ...lines);

const memberFaults = (ctx: Context, ...lines: string[]) => faultsOf(ctx, members(...lines));

describe('imported members', () => {
  test('are members of the loyalty programme at once, under the ids of the answer', async () => {
    const ctx = newContext();
    const { mappings, inserted, batch } = await imported(
      ctx,
      members('m1,Ada@Example.com,2024-01-05T10:00:00Z,active', 'm2,,2025-01-01,inactive'),
    );
    expect([inserted, batch.charged, Object.keys(mappings)]).toEqual([2, 0, ['m1', 'm2']]);
    expect(await findMembers(ctx, { ids: [mappings['m1']!] })).toMatchObject([
      { status: 'ACTIVE', externalId: 'm1' },
    ]);
    expect(await findMembers(ctx, { ids: [mappings['m2']!] })).toMatchObject([
      { status: 'INACTIVE', emailIndex: null },
    ]);
  });

  test('imported again with the same data are skipped, with other data a conflict', async () => {
    const ctx = newContext();
    const first = await imported(ctx, members('m1,ada@example.com,2026-01-01,', 'm2,,2026-01-01,'));
    const again = await imported(ctx, members('m1,ADA@example.com,2026-01-01T00:00:00Z,active'));
    expect(again).toMatchObject({ inserted: 0, skipped: 1, mappings: { m1: first.mappings['m1'] } });
    expect(await memberFaults(ctx, 'm1,eve@example.com,2026-01-01,', 'm2,,2026-01-01,inactive')).toEqual([
      [2, 'external_id', 'ID_CONFLICT'],
      [3, 'external_id', 'ID_CONFLICT'],
    ]);
  });

  test('twice in a file are one, or a conflict where they differ or share an address', async () => {
    const lines = ['m1,a@example.com,2026-01-01,', 'm1,a@example.com,2026-01-01,'];
    const more = ['m1,a@example.com,2026-01-02,', 'm2,a@example.com,2026-01-01,'];
    const preview = await previewDataImport(newContext(), members(...lines, ...more));
    expect(preview).toMatchObject({
      inserted: 1,
      skipped: 1,
      issues: [
        { row: 4, code: 'ID_CONFLICT' },
        { row: 5, column: 'email', code: 'EMAIL_CONFLICT' },
      ],
    });
  });

  test('whom the programme has by address become those members and keep their status', async () => {
    const ctx = newContext();
    const [known] = await programmeMembers(ctx, { email: 'ada@example.com', externalId: null });
    const { mappings } = await imported(ctx, members('crm-1,ada@example.com,2024-01-01,unsubscribed'));
    expect(mappings).toEqual({ 'crm-1': known });
    expect(await memberOf(ctx, 'crm-1')).toMatchObject({ id: known, status: 'ACTIVE' });
  });

  test('whom the programme has by external id become those members', async () => {
    const ctx = newContext();
    const [known] = await programmeMembers(ctx, { email: 'ada@example.com', externalId: 'crm-1' });
    expect((await imported(ctx, members('crm-1,,2024-01-01,'))).mappings).toEqual({ 'crm-1': known });
  });

  test('with the address or the id of somebody else are conflicts', async () => {
    const ctx = newContext();
    await programmeMembers(ctx, { email: 'ada@example.com', externalId: 'crm-1' });
    const lines = ['crm-2,ada@example.com,2024-01-01,', 'crm-1,eve@example.com,2024-01-01,'];
    expect(await memberFaults(ctx, ...lines)).toEqual([
      [2, 'email', 'EMAIL_CONFLICT'],
      [3, 'external_id', 'ID_CONFLICT'],
    ]);
  });

  test('who are restricted are refused', async () => {
    const ctx = newContext();
    await programmeMembers(ctx, { email: 'ada@example.com', externalId: null });
    await ctx.sql.query('UPDATE loyalty.members SET is_restricted = true WHERE workspace_id = $1', [
      ctx.scope.workspaceId,
    ]);
    const line = 'crm-1,ada@example.com,2024-01-01,';
    expect(await memberFaults(ctx, line)).toEqual([[2, 'external_id', 'MEMBER_RESTRICTED']]);
  });

  test('whose address somebody took since the preview are not imported, nor is anybody else', async () => {
    const ctx = newContext();
    const input = members('m1,ada@example.com,2026-01-01,', 'm2,bob@example.com,2026-01-01,');
    const { token } = await previewDataImport(ctx, input);
    await programmeMembers(ctx, { email: 'bob@example.com', externalId: 'other' });
    await expect(confirmDataImport(ctx, input, token)).rejects.toMatchObject({ code: 'IMPORT_CONFLICT' });
    expect(await findMembers(ctx, { externalIds: ['m1', 'm2'] })).toEqual([]);
  });

  test('of two files at once with the same people are made once', async () => {
    const ctx = newContext();
    const lines = Array.from({ length: 200 }, (_, at) => `m${at},m${at}@example.com,2026-01-01,`);
    const file = members(...lines);
    const other = members(...lines.toReversed());
    const tokens = [await previewDataImport(ctx, file), await previewDataImport(ctx, other)];
    const answers = await Promise.all([
      confirmDataImport(ctx, file, tokens[0]!.token),
      confirmDataImport(ctx, other, tokens[1]!.token),
    ]);
    expect(answers[0].mappings).toEqual(answers[1].mappings);
    expect(answers[0].inserted + answers[1].inserted).toBe(200);
  });

  test('with an address that is none, or a status that means nothing, are issues', async () => {
    expect(await memberFaults(newContext(), 'm1,ada,2026-01-01,', 'm2,,2026-01-01,gone')).toEqual([
      [2, 'email', 'INVALID_VALUE'],
      [3, 'status', 'INVALID_VALUE'],
    ]);
  });
});

/** Creates members of the loyalty programme; returns their ids. */
async function programmeMembers(
  ctx: Context,
  ...people: { readonly email: string; readonly externalId: string | null }[]
): Promise<string[]> {
  const ids: string[] = [];
  const query = 'mutation ($input: CreateMemberInput!) { createMember(input: $input) { id } }';
  for (const input of people) {
    const answer = await askPeer(ctx, 'loyalty', query, { input });
    ids.push((answer['createMember'] as { id: string }).id);
  }
  return ids;
}
