import { getEventListeners } from 'node:events';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { callerOf, contextOf, useServices } from '@loyalty/test/harness/services';
import type { ExecutionResult } from 'graphql';
import type { Context } from '../context.ts';
import { createContext } from '../database/create-context.ts';
import { type CountedLive, countedLive, createNotes, noteId } from '../work/notes.fixture.ts';
import { executeSubgraph, subscribeSubgraph } from './subgraph.ts';

const { services: shared } = useServices();
let services: typeof shared & { live: CountedLive };
beforeAll(() => {
  services = { ...shared, live: countedLive() };
});

type Results = AsyncIterableIterator<ExecutionResult, undefined>;

const notes = createNotes();
const done = { done: true, value: undefined };
const query = 'subscription ($id: ID!) { noteChanged(id: $id) { id text } }';
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const ask = (ctx: Context = contextOf(services), id = noteId) =>
  subscribeSubgraph(notes.subgraph, { query, variables: { id } }, ctx);

async function watch(ctx?: Context): Promise<Results> {
  const answer = await ask(ctx);
  if (!('next' in answer)) throw new Error(JSON.stringify(answer));
  return answer;
}

async function refusalOf(answer: Promise<Results | ExecutionResult>) {
  const { errors } = (await answer) as ExecutionResult;
  return errors?.map(({ message, extensions }) => ({ message, ...extensions }))[0];
}

describe('a subscription', () => {
  test('executes every event anew: no loader serves an old row', async () => {
    const results = await watch();
    for (const text of ['second', 'third']) {
      await notes.write(services.live, text);
      const { value } = await results.next();
      expect(plain(value)).toEqual({ data: { noteChanged: { id: noteId, text } } });
    }
    await results.return!();
    expect(services.live.listeners).toBe(0);
  });

  test('shares what is loaded for an event with others of its caller, and with nobody else', async () => {
    const [one, other] = [callerOf(), callerOf()];
    const callers = [one, one, one, other];
    const all = await Promise.all(callers.map((caller) => watch(contextOf(services, caller))));
    const gate = notes.hold();
    gate.release();
    for (const [round, text] of ['x', 'y'].entries()) {
      const parked = all.map((results) => results.next());
      await notes.write(services.live, text);
      const expected = callers.map(() => ({ value: { data: { noteChanged: { text } } } }));
      expect(await Promise.all(parked)).toMatchObject(expected);
      expect(gate.reads()).toBe(2 * (round + 1));
    }
    await Promise.all(all.map((results) => results.return!()));
  });

  test('finds its note by an id in any case', async () => {
    const results = (await ask(contextOf(services), noteId.toUpperCase())) as Results;
    await notes.write(services.live, 'found');
    expect((await results.next()).value).toMatchObject({ data: { noteChanged: { text: 'found' } } });
    await results.return!();
  });

  test('goes on after an event that failed, whose error is masked and has its path', async () => {
    const results = await watch();
    await notes.write(services.live, 'broken');
    const { value } = await results.next();
    expect(plain(value)).toMatchObject({
      data: null,
      errors: [{ path: ['noteChanged', 'text'], extensions: { code: 'INTERNAL_SERVER_ERROR' } }],
    });
    expect(JSON.stringify(value)).not.toContain('secret');
    await notes.write(services.live, 'repaired');
    expect((await results.next()).value).toMatchObject({ data: { noteChanged: { text: 'repaired' } } });
    await results.return!();
  });

  test.each([
    ['the scope is missing', { scopes: [] }, noteId, 'SCOPE_MISSING'],
    ['nobody calls', { kind: 'ANONYMOUS' }, noteId, 'CREDENTIAL_MISSING'],
    ['the id is none', {}, 'x', 'INVALID_ID'],
    ['there is no such thing', {}, '019cadfd-8900-713f-9842-000000000000', 'RECORD_NOT_FOUND'],
  ] as const)('is refused before it starts when %s', async (_, caller, id, reason) => {
    const ctx = contextOf(services, { ...callerOf(), ...caller });
    expect(await refusalOf(ask(ctx, id))).toMatchObject({ reason });
    expect(services.live.listeners).toBe(0);
  });

  test.each([
    ['cannot be read', 'subscription {', 'Syntax Error'],
    ['does not fit the schema', 'subscription { nothing }', 'Cannot query field "nothing"'],
    ['is a query', '{ notes { id } }', 'The subscription field "notes" is not defined.'],
  ])('is refused when its document %s', async (_, document, message) => {
    const answer = subscribeSubgraph(notes.subgraph, { query: document }, contextOf(services));
    expect((await refusalOf(answer))?.message).toContain(message);
  });

  test('whose payload leads to what the caller may not read is refused before it starts', async () => {
    const ctx = contextOf(services, { ...callerOf(), scopes: ['notes:read'] });
    const secret = query.replace('text', 'text secret');
    const answer = subscribeSubgraph(notes.subgraph, { query: secret, variables: { id: noteId } }, ctx);
    const { errors } = (await answer) as ExecutionResult;
    expect(plain(errors)).toMatchObject([
      { path: ['noteChanged', 'secret'], extensions: { code: 'FORBIDDEN', reason: 'SCOPE_MISSING' } },
    ]);
    expect(services.live.listeners).toBe(0);
  });

  test('that is sent as a query is refused as well', async () => {
    const ctx = contextOf(services, { ...callerOf(), scopes: [] });
    const request = { query, variables: { id: noteId } };
    const { errors } = await executeSubgraph(notes.subgraph, request, ctx);
    expect(errors?.[0]?.extensions['reason']).toBe('SCOPE_MISSING');
  });
});

describe('an operation', () => {
  const run = (document: string, variables = {}) =>
    executeSubgraph(
      notes.subgraph,
      { query: document, variables },
      contextOf(services, { ...callerOf(), scopes: ['notes:read'] }),
    );

  test('is refused as a whole for one field of a type that its caller may not read', async () => {
    const { data, errors } = await run('{ first: notes { id } notes { hidden: secret } }');
    expect(data).toBeNull();
    expect(plain(errors)).toEqual([
      {
        message: 'This needs the scope secrets:read. The field refused is notes.hidden.',
        path: ['notes', 'hidden'],
        extensions: { code: 'FORBIDDEN', reason: 'SCOPE_MISSING' },
      },
    ]);
  });

  test('asks nothing for what its conditions leave out', async () => {
    const document = 'query ($x: Boolean!) { notes { id secret @include(if: $x) } }';
    expect(plain(await run(document, { x: false }))).toEqual({ data: { notes: [] } });
    expect((await run(document, { x: true })).errors).toHaveLength(1);
  });

  test('by references is refused as well', async () => {
    const document =
      'query ($all: [_Any!]!) { _entities(representations: $all) { ... on Note { id secret } } }';
    const { data, errors } = await run(document, { all: [{ __typename: 'Note', id: noteId }] });
    expect([data, errors?.[0]?.extensions['reason']]).toEqual([null, 'SCOPE_MISSING']);
  });
});

describe('a subscription ends', () => {
  const held = (signal: AbortSignal) => [services.live.listeners, getEventListeners(signal, 'abort').length];
  const newContext = (signal: AbortSignal) =>
    createContext(services, { caller: callerOf(), requestId: 'test', signal });

  test('by return() while a read waits', async () => {
    const { signal } = new AbortController();
    const results = await watch(newContext(signal));
    expect(held(signal)).toEqual([2, 1]);
    const parked = results.next();
    await results.return!();
    expect([await parked, held(signal)]).toEqual([done, [0, 0]]);
  });

  test('by the signal while a read waits', async () => {
    const controller = new AbortController();
    const results = await watch(newContext(controller.signal));
    const parked = results.next();
    controller.abort();
    expect([await parked, held(controller.signal)]).toEqual([done, [0, 0]]);
  });

  test('by a signal that was aborted before it started', async () => {
    const results = await watch(newContext(AbortSignal.abort()));
    expect([await results.next(), services.live.listeners]).toEqual([done, 0]);
  });

  test('by return() while an event is executed, whose result nobody gets', async () => {
    const { signal } = new AbortController();
    const results = await watch(newContext(signal));
    const gate = notes.hold();
    await notes.write(services.live, 'late');
    const reading = results.next();
    while (gate.reads() === 0) await new Promise((resolve) => setImmediate(resolve));
    await results.return!();
    expect(held(signal)).toEqual([0, 0]);
    gate.release();
    expect(await reading).toEqual(done);
  });

  test('with its source: a reader that is too slow gets the reason as the last result', async () => {
    const results = await watch();
    for (let n = 0; n <= 1_000; n += 1) await services.live.publish(`note:${noteId}`, `n${n}`);
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    const { value } = await results.next();
    expect(value).not.toHaveProperty('data');
    expect(value!.errors![0]!.extensions).toEqual({ code: 'RATE_LIMITED', reason: 'SLOW_CONSUMER' });
    expect([await results.next(), services.live.listeners]).toEqual([done, 0]);
  });
});

test('ten thousand subscriptions that come and go leave nothing behind', async () => {
  const { signal } = new AbortController();
  const ctx = createContext(services, { caller: callerOf(), requestId: 'test', signal });
  for (let n = 0; n < 10_000; n += 1) await (await watch(ctx)).return!();
  expect([services.live.listeners, getEventListeners(signal, 'abort').length]).toEqual([0, 0]);
});

test('each operation of one document needs the access of its own fields', async () => {
  const both = 'query Open { notes { id } } query Closed { notes { secret } }';
  const caller = { ...callerOf(), scopes: ['notes:read'] };
  const named = (operationName: string) =>
    executeSubgraph(notes.subgraph, { query: both, operationName }, contextOf(services, caller));
  expect(await named('Open')).toEqual({ data: { notes: [] } });
  expect((await named('Closed')).errors).toMatchObject([{ extensions: { reason: 'SCOPE_MISSING' } }]);
  expect((await named('Open')).errors).toBeUndefined();
});
