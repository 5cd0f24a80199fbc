import { beforeAll, describe, expect, test } from '@jest/globals';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { eventually } from '../harness/eventually.ts';
import { useStack } from '../harness/stack.ts';
import { kinds, type Team, teamOf } from './jobs.fixture.ts';

const stack = useStack();
let team: Team;
let foreign: Team;
beforeAll(async () => {
  [team, foreign] = [await teamOf(stack), await teamOf(stack)];
});

interface State {
  readonly id: string;
  readonly state: string;
  readonly processed: number;
  readonly total: number | null;
  readonly failed: number;
  readonly finishedAt: string | null;
  readonly requestedBy: { readonly name: string } | null;
}

/**
 * Selects the fields of the interface that all jobs share. The name of the person comes from another
 * subgraph.
 */
const documentOf = (field: string) => `subscription ($id: ID!) { ${field}(id: $id) { ...Progress } }
  fragment Progress on Job { id state processed total failed finishedAt requestedBy { name } }`;

/** Watches a job over a socket with a token; collects the states that arrive. */
function watch(field: string, id: string, token: string, params: object = {}) {
  const taken: State[] = [];
  const client = createClient({
    url: `${stack.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${token}`, ...params },
    retryAttempts: 0,
  });
  const end = Promise.withResolvers<string>();
  const stop = client.subscribe<Record<string, State>>(
    { query: documentOf(field), variables: { id } },
    {
      next: ({ data, errors }) => void taken.push(data?.[field] ?? (errors as never)),
      error: (errors) => end.resolve(JSON.stringify(errors)),
      complete: () => end.resolve('complete'),
    },
  );
  stack.beforeClose(() => client.dispose());
  return { taken, ended: end.promise, stop };
}

const numbersOf = (state: State | undefined) => [state?.state, state?.processed, state?.total, state?.failed];

describe.each(kinds)('$field', ({ field, start, step, finish, giveUp, states }) => {
  let id: string;
  beforeAll(async () => {
    id = await start(team);
  });

  test('is not found from another workspace', async () => {
    const { ended, taken } = watch(field, id, foreign.token);
    expect(await ended).toContain('NOT_FOUND');
    expect(taken).toEqual([]);
  });

  // The purge of test data is shared by both modes of the workspace.
  const inSandbox = field === 'testDataPurgeProgress' ? 'found' : 'not found';
  test(`is ${inSandbox} from the sandbox`, async () => {
    const { ended, taken, stop } = watch(field, id, team.token, { 'X-Loyalty-Mode': 'test' });
    if (inSandbox === 'found') {
      await eventually(() => expect(taken.map(numbersOf)).toEqual([states[0]]));
      stop();
    } else expect(await ended).toContain('NOT_FOUND');
  });

  test('is sent at once, after each change and at the end; a new subscription begins with the present state', async () => {
    const first = watch(field, id, team.token);
    await eventually(() => expect(first.taken.map(numbersOf)).toEqual([states[0]]));
    expect(first.taken[0]).toMatchObject({ id, finishedAt: null, requestedBy: { name: 'Olga Owner' } });
    if (step) {
      await step(team, id);
      await eventually(() => expect(numbersOf(first.taken.at(-1))).toEqual(states[1]));
    }
    first.stop();
    const again = watch(field, id, team.token);
    await eventually(() => expect(again.taken.map(numbersOf)).toEqual([states.at(step ? 1 : 0)]));
    await finish(team, id);
    expect(await again.ended).toBe('complete');
    expect(numbersOf(again.taken.at(-1))).toEqual(states.at(-1));
    expect(again.taken.at(-1)?.finishedAt).not.toBeNull();
    const late = watch(field, id, team.token);
    expect(await late.ended).toBe('complete');
    expect(late.taken.map(numbersOf)).toEqual([states.at(-1)]);
  });

  test('ends for its watchers when it is given up', async () => {
    const given = await start(foreign);
    if (field === 'importProgress') await step!(foreign, given);
    const { taken, ended } = watch(field, given, foreign.token);
    await eventually(() => expect(taken).toHaveLength(1));
    await giveUp(foreign.worker, given, 'out of order');
    expect(await ended).toBe('complete');
    expect(taken.at(-1)?.state).toBe('FAILED');
  });
});
