import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createLog } from '@loyalty/platform/observe/log';
import { createMetrics } from '@loyalty/platform/observe/metrics';
import { createOpenGateway, type OpenGateway } from '../../open-gateway.ts';
import { overHttp } from '../../transport/http-transport.ts';
import { bodyFaults, dataFaults, errorFaults } from './answer-faults.fixture.ts';
import { connectionFaults, headFaults } from './connection-faults.fixture.ts';
import { everything, type InjectedFault, nothing } from './fault.fixture.ts';
import { type Got, wrongIn } from './fault-oracle.fixture.ts';
import { type FaultySubgraphs, startFaultySubgraphs } from './faulty-subgraphs.fixture.ts';
import { type Name, names, type QueryName, queries } from './shop-subgraphs.fixture.ts';

const TIMEOUT_MS = 4_000;
const BYTES_MAX = 250_000;
const AT_ONCE = 16;

const refused: InjectedFault = { name: 'connection refused', answer: () => undefined, effect: everything };
const harmless: InjectedFault = { name: 'nothing', answer: ({ text, send }) => send(text), effect: nothing };
const kinds = { connectionFaults, headFaults, bodyFaults, errorFaults, dataFaults };
const all = [harmless, ...Object.values(kinds).flat()];
const log = createLog({ level: 'silent', name: 'test' });

let subgraphs: FaultySubgraphs;
let gateway: OpenGateway;
let url: string;
beforeAll(async () => {
  subgraphs = await startFaultySubgraphs(all);
  gateway = await open();
  url = await gateway.app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  await gateway.close();
  await subgraphs.close();
});

/** A gateway with no server at the address of one subgraph. */
function open(dead?: Name): Promise<OpenGateway> {
  const metrics = createMetrics();
  const options = { timeoutMs: TIMEOUT_MS, answerBytesMax: BYTES_MAX, log, metrics };
  return createOpenGateway({
    supergraphSdl: subgraphs.supergraphSdl,
    connect: (name) =>
      overHttp({ name, url: name === dead ? subgraphs.deadUrl : subgraphs.urls[name as Name], ...options }),
    log,
    metrics,
  });
}

async function ask(at: string, query: QueryName, requestId: string): Promise<Got> {
  const response = await fetch(`${at}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-request-id': requestId },
    // The variable differs, because equal queries at the same time would share one answer.
    body: JSON.stringify({ query: queries[query], variables: { tag: requestId } }),
  });
  const body = (await response.json()) as Got['body'];
  return { status: response.status, body };
}

interface Combination {
  readonly fault: InjectedFault;
  readonly subgraph: Name;
  readonly query: QueryName;
}

const combinationsOf = (fault: InjectedFault): Combination[] =>
  names.flatMap((subgraph) =>
    (Object.keys(queries) as QueryName[]).map((query) => ({ fault, subgraph, query })),
  );

async function check({ fault, subgraph, query }: Combination): Promise<string[]> {
  const got = await ask(url, query, subgraphs.requestId(fault, subgraph));
  const wrong = wrongIn(got, query, subgraph, fault);
  return wrong.length > 0 ? [`${fault.name} in ${subgraph}, ${query}: ${wrong.join('; ')}`] : [];
}

/**
 * Returns the faults of all answers. Several queries run at the same time, so that those that hang do not
 * delay the others.
 */
async function checkAll(faults: readonly InjectedFault[]): Promise<string[]> {
  const left = faults.flatMap(combinationsOf);
  const found: string[] = [];
  const work = async () => {
    for (let next = left.shift(); next; next = left.shift()) found.push(...(await check(next)));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return found;
}

test('every fault has a name of its own, and there are more than sixty', () => {
  const called = all.map(({ name }) => name);
  expect(called.filter((name, at) => called.indexOf(name) !== at)).toEqual([]);
  expect(all.length).toBeGreaterThan(60);
});

test.each(Object.keys(kinds) as (keyof typeof kinds)[])(
  'of each of the %s, in each subgraph, a client gets what the specification asks for, and the next one all',
  async (kind) => {
    expect(await checkAll(kinds[kind])).toEqual([]);
    expect(await checkAll([harmless])).toEqual([]);
  },
  180_000,
);

test.each(names)('where nobody listens for %s, only its fields are lost', async (dead) => {
  const partial = await open(dead);
  const at = await partial.app.listen({ port: 0, host: '127.0.0.1' });
  for (const query of Object.keys(queries) as QueryName[]) {
    expect(wrongIn(await ask(at, query, 'none'), query, dead, refused)).toEqual([]);
  }
  await partial.close();
});
