import { expect, test } from '@jest/globals';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { csvLine } from '@loyalty/platform/exports/csv-line';
import { useServices } from '@loyalty/test/harness/services';
import { askLoyalty, enrolMembers } from '../members.fixture.ts';
import { computeSegment } from '../profiles/computations.service.ts';
import { givenProfiles } from '../profiles/profiles.fixture.ts';
import { createSegment } from './edit-segment.service.ts';
import { exportSegment } from './segment-members.service.ts';

const { services, ctx, newContext, fresh } = useServices();

async function segmentOf(of: Context, memberIds: readonly string[]): Promise<string> {
  await givenProfiles(
    of,
    memberIds.map((memberId) => ({ memberId })),
  );
  const { id } = await createSegment(of, { name: 'All', definition: { op: 'and', conditions: [] } });
  await computeSegment(of, id);
  return id;
}

test('a line quotes what needs it, and a formula is a text', () => {
  expect(csvLine(['plain', null, 'a,b', 'say "hi"', 'two\nlines'])).toBe(
    'plain,,"a,b","say ""hi""","two\nlines"\r\n',
  );
  for (const text of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])
    expect(csvLine([text])).toMatch(/^"?'/);
  expect(csvLine(['=HYPERLINK("http://x","y")'])).toBe(`"'=HYPERLINK(""http://x"",""y"")"\r\n`);
});

test('members are exported oldest first, with what the caller may read and no personal data', async () => {
  const ids = await enrolMembers(ctx, ['ada@example.com', 'bo@example.com']);
  const update = 'mutation ($id: ID!) { updateMember(id: $id, input: {externalId: "=cmd()"}) { id } }';
  await askLoyalty(ctx, update, { id: ids[0] });
  const id = await segmentOf(ctx, ids);
  const now = services.clock.now().toISOString();
  const scopes = ['segments:read'];
  expect(await exportSegment(fresh({ kind: 'KEY', scopes }), id, null)).toEqual({
    content: `member_id,entered_at\r\n${ids[0]},${now}\r\n${ids[1]},${now}\r\n`,
    after: null,
  });
  const reader = fresh({ kind: 'KEY', scopes: [...scopes, 'members:read'] });
  expect((await exportSegment(reader, id, null)).content.split('\r\n')).toEqual([
    'member_id,external_id,entered_at,status,tier',
    `${ids[0]},'=cmd(),${now},ACTIVE,`,
    `${ids[1]},,${now},ACTIVE,`,
    '',
  ]);
  expect((await exportSegment(reader, id, ids[0]!)).content.split('\r\n')).toHaveLength(2);
});

test('members who are not there any more are left out', async () => {
  const [id] = await enrolMembers(ctx, ['ada@example.com']);
  const segmentId = await segmentOf(ctx, [newId(ctx.clock), id!]);
  const { content } = await exportSegment(ctx, segmentId, null);
  expect(content.trimEnd().split('\r\n')).toHaveLength(2);
});

test('another workspace and mode get no export', async () => {
  const id = await segmentOf(ctx, []);
  for (const other of [newContext(), fresh({ mode: 'TEST' })])
    await expect(exportSegment(other, id, null)).rejects.toMatchObject({ code: 'SEGMENT_NOT_FOUND' });
});
