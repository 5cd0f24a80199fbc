import { expect, test } from '@jest/globals';
import { access, appOver, rows, schema } from '../adapter.fixture.ts';
import { openApi } from '../openapi/openapi.ts';
import type { Row } from './row.ts';

const deprecated = { since: '2026-06-01', sunset: '2027-06-01', replacedBy: '/api/v2/people' };
const ending: readonly Row[] = rows.map((row) =>
  row.path === '/api/v2/members' && row.method === 'GET' ? { ...row, deprecated } : row,
);
const table = { rows: ending, schema, access };
const authorization = 'Bearer key';

test('answers of a deprecated row say when it ends and what replaces it; other answers do not', async () => {
  const answers = { ListMembers: { data: { reply: { members: [], total: 0 } } } };
  const { app } = await appOver(answers, table);
  const read = async (url: string) => (await app.inject({ url, headers: { authorization } })).headers;
  const said = {
    deprecation: '@1780272000',
    sunset: 'Tue, 01 Jun 2027 00:00:00 GMT',
    link: '</docs/rest#versions>; rel="deprecation"; type="text/html", </api/v2/people>; rel="successor-version"',
  };
  expect(await read('/api/v2/members')).toMatchObject(said);
  expect(await read('/api/v2/members?limit=0')).toMatchObject(said);
  expect(await read('/api/v2/members/1')).not.toHaveProperty('deprecation');
  await app.close();
});

test('the OpenAPI document marks a deprecated row', () => {
  const { paths } = openApi('v2', table);
  expect(paths['/api/v2/members']!['get']).toMatchObject({
    deprecated: true,
    'x-sunset': '2027-06-01',
    description: expect.stringContaining('it ends on 2027-06-01. Use /api/v2/people.'),
  });
  expect(paths['/api/v2/members']!['post']).not.toHaveProperty('deprecated');
});
