import { afterEach, expect, test } from '@jest/globals';
import { wantsEventStream } from './event-stream-request.ts';
import { openGateway, type SocketGateway } from './sockets.fixture.ts';

let gateway: SocketGateway | null = null;
afterEach(async () => {
  await gateway?.close();
  gateway = null;
});

const AS_KEY = { accept: 'text/event-stream', 'x-api-key': 'key-1' };

test.each([
  ['text/event-stream', true],
  ['text/event-stream, application/json', true],
  ['TEXT/EVENT-STREAM;q=0.9', true],
  ['application/graphql-response+json, application/json, text/event-stream, multipart/mixed', false],
  ['application/json;q=0.5, text/event-stream', true],
  ['text/event-stream;q=0, application/json', false],
  ['*/*', false],
  [undefined, false],
])('Accept: %s wants a stream: %s', (accept, wanted) => {
  expect(wantsEventStream({ headers: { accept } } as never)).toBe(wanted);
});

test.each<Record<string, string>>([
  { query: '' },
  { query: 'query { hello }', variables: '[1]' },
  { query: 'query { hello }', variables: '{' },
  { query: 'query { hello }', extensions: '{' },
  { variables: '{}' },
])('the parameters %j are refused with 400', async (parameters) => {
  gateway = await openGateway();
  const response = await fetch(`${gateway.url}?${new URLSearchParams(parameters)}`, { headers: AS_KEY });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ errors: [{ extensions: { reason: 'REQUEST_INVALID' } }] });
});

test.each(['"text"', '[]', '{"query":1}', '{"query":"query { hello }","operationName":{}}'])(
  'the body %s is refused with 400',
  async (body) => {
    gateway = await openGateway();
    const headers = { ...AS_KEY, 'content-type': 'application/json' };
    const response = await fetch(gateway.url, { method: 'POST', headers, body });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { reason: 'REQUEST_INVALID' } }] });
  },
);
