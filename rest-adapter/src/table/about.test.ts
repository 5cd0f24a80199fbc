import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { type Asked, accessesIn, appOver, schemaOf } from '../adapter.fixture.ts';
import { GET } from './row.ts';

const schema = schemaOf(/* GraphQL */ `
  directive @access(scopes: [[String!]!], callers: [String!]) on FIELD_DEFINITION
  type Query {
    jobs: [Job!]! @access(scopes: [["jobs:read"]])
    job(id: ID!): Job @access(scopes: [["jobs:read"]])
  }
  type Job { name: String! pause: BulkPauseReason }
  enum BulkPauseReason { OUT_OF_PAPER }
`);
const about = { id: 'bulk job' } as const;
const rows = [
  GET('/api/v1/jobs', 'query Jobs { reply: jobs { name pause } }'),
  GET('/api/v1/jobs', 'query Job($id: ID!) { job: job(id: $id) { name pause } }', { about }),
  GET('/api/v1/jobs', 'query Results($id: ID!) { reply: job(id: $id) { name } }', {
    about,
    when: { view: 'results' },
  }),
  GET('/api/v1/lost-jobs', 'query NoJob($id: ID!) { job: job(id: $id) { name pause } }', { about }),
];
const id = '0197a3c2-5f1a-7d02-8c44-9be1c07d6a21';

let app: FastifyInstance;
let asked: Asked[];
beforeAll(async () => {
  ({ app, asked } = await appOver(
    {
      Jobs: { data: { reply: [] } },
      Job: { data: { job: { name: 'x', pause: 'OUT_OF_PAPER' } } },
      NoJob: { data: { job: null } },
    },
    { rows, schema, access: accessesIn(schema) },
  ));
});
afterAll(() => app.close());

async function get(url: string) {
  asked.length = 0;
  const response = await app.inject({ method: 'GET', url, headers: { authorization: 'Bearer key' } });
  const names = asked.map(({ operationName }) => operationName);
  return { status: response.statusCode, body: response.json(), asked: names };
}

test('an `about` parameter chooses its row, unless `when` chooses; codes are in upper case', async () => {
  expect(await get(`/api/v1/jobs?id=${id}`)).toEqual({
    status: 200,
    body: { job: { name: 'x', pause: 'OUT_OF_PAPER' } },
    asked: ['Job'],
  });
  expect((await get('/api/v1/jobs')).asked).toEqual(['Jobs']);
  expect((await get('/api/v1/jobs?view=results')).body.error.message).toBe('id is required.');
});

const withId = 'with id known are id';
const withView = 'with id and view=results known are id, view';
const withoutId = 'without id none are expected';

test.each([
  ['limit=5', [withoutId, withId, withView]],
  [`id=${id}&limit=5`, [withId, withoutId, withView]],
  [`id=${id}&view=results&limit=5`, [withView, withoutId, withId]],
])(
  'an unknown parameter of %s is refused with the known ones, the chosen row first',
  async (query, known) => {
    expect((await get(`/api/v1/jobs?${query}`)).body.error).toEqual({
      code: 'UNKNOWN_FIELD',
      message: `limit is not a field of this request; ${known.join('; ')}.`,
    });
  },
);

test.each([
  ['that is no UUID', '/api/v1/jobs?id=5', '5'],
  ['that is empty', '/api/v1/jobs?id=', ''],
  ['that is unknown', `/api/v1/lost-jobs?id=${id}`, id],
])('an id %s is 404 with the noun of the row', async (_, url, asked) => {
  expect(await get(url)).toMatchObject({
    status: 404,
    body: { error: { code: 'BULK_JOB_NOT_FOUND', message: `No bulk job has the id ${asked}.` } },
  });
});

test.each([
  ['/api/v1/lost-jobs', 'id is required.'],
  [`/api/v1/lost-jobs?id=${id}&id=${id}`, 'id is given more than once.'],
])('a GET of %s is 400', async (url, message) => {
  expect(await get(url)).toMatchObject({ status: 400, body: { error: { message } }, asked: [] });
});
