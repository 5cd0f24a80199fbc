import { afterEach, expect, test } from '@jest/globals';
import { streamTypeOf } from './event-stream-request.ts';
import { openGateway, type SocketGateway } from './sockets.fixture.ts';

let gateway: SocketGateway | null = null;
afterEach(async () => {
  await gateway?.close();
  gateway = null;
});

const AS_KEY = { accept: 'text/event-stream', 'x-api-key': 'key-1' };

test.each([
  ['text/event-stream', 'text/event-stream'],
  ['text/event-stream, application/json', 'text/event-stream'],
  ['TEXT/EVENT-STREAM;q=0.9', 'text/event-stream'],
  ['application/graphql-response+json, application/json, text/event-stream, multipart/mixed', null],
  ['application/json;q=0.5, text/event-stream', 'text/event-stream'],
  ['text/event-stream;q=0, application/json', null],
  ['multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/json', 'multipart/mixed'],
  ['multipart/mixed; boundary="graphql"; subscriptionSpec="1.0", application/json', 'multipart/mixed'],
  ['application/json, multipart/mixed;subscriptionSpec=1.0', null],
  ['multipart/mixed;subscriptionSpec=2.0, application/json', null],
  ['multipart/mixed;deferSpec=20220824, application/json', null],
  ['multipart/mixed', null],
  ['*/*', null],
  [undefined, null],
])('Accept: %s wants the stream %s', (accept, wanted) => {
  expect(streamTypeOf({ headers: { accept } } as never)).toBe(wanted);
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
