import { type ChildProcess, spawn } from 'node:child_process';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { type AddressInfo, connect, createServer as createProxy, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@loyalty/test/harness/eventually';
import { useStack } from '@loyalty/test/harness/stack';
import { Webhook } from 'standardwebhooks';
import { type ListenOptions, listenToWebhooks } from './webhooks-listen.ts';

const stack = useStack();
let owner: string;
let live: string;
let sandbox: string;
const received: { headers: IncomingHttpHeaders; text: string }[] = [];
let status = 200;
let forward: string;

beforeAll(async () => {
  owner = (await stack.signUp()).token;
  const scopes = ['webhooks:manage', 'members:write', 'points:write', 'members:read'];
  live = (await stack.key(owner, scopes)).secret;
  sandbox = (await stack.key(owner, scopes, 'TEST')).secret;
  const receiver = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => {
      received.push({ headers: request.headers, text });
      response.writeHead(status).end('ok');
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  stack.beforeClose(() => receiver.close());
  forward = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;
});

const running: { stop: AbortController; done: Promise<void> }[] = [];
const children: ChildProcess[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const { stop, done } of running.splice(0)) {
    stop.abort();
    await done;
  }
  received.length = 0;
  status = 200;
});

/** Starts the command as a developer does, and waits for its connection. */
async function listen(env: NodeJS.ProcessEnv, options: Partial<ListenOptions> = {}) {
  const said: string[] = [];
  const stop = new AbortController();
  const all = { forward, url: stack.url, ...options };
  const done = listenToWebhooks(env, all, (line) => said.push(line), stop.signal);
  running.push({ stop, done });
  await eventually(() => expect(said.filter((line) => line.startsWith('Connected'))).not.toEqual([]));
  return { said, secret: said[0]!.replace('Signing secret: ', '') };
}

/** Returns an address at which no server listens. */
async function unusedAddress(): Promise<string> {
  const server = createProxy();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}/`;
}

let people = 0;
const enrol = async (key: string): Promise<string> => {
  people += 1;
  const body = { email: `listen${people}@example.com`, fullName: 'Ada' };
  const answer = await stack.rest('POST', '/api/v2/members', { as: key, body });
  return answer.body.id;
};
/**
 * Waits until the subscription works. It begins a moment after its socket, so members are enrolled until the
 * first event is posted. Then waits for the event of the last member.
 */
async function untilSubscribed(key: string): Promise<void> {
  let last = '';
  await eventually(async () => {
    last = await enrol(key);
    expect(received.length).toBeGreaterThan(0);
  });
  await eventually(() => expect(received.some(({ text }) => text.includes(last))).toBe(true));
  received.length = 0;
}

test('each event is posted, signed as a delivery, and printed with the answer', async () => {
  const { said, secret } = await listen({ LOYALTY_API_KEY: live });
  await untilSubscribed(live);
  const memberId = await enrol(live);
  await stack.rest('POST', `/api/v2/members/${memberId}/points`, { as: live, body: { amount: 5 } });
  const bodies: { id: string; type: string; sequence: number; data: object }[] = [];
  await eventually(() => {
    bodies.splice(0);
    for (const { text, headers } of received) {
      const verified = new Webhook(secret).verify(text, headers as Record<string, string>);
      bodies.push(verified as (typeof bodies)[number]);
      expect(headers['webhook-id']).toBe(bodies.at(-1)!.id);
      expect(headers['content-type']).toBe('application/json');
    }
    const data = { resource_id: memberId, member_ref: memberId };
    expect(bodies).toContainEqual(expect.objectContaining({ type: 'member.created', data }));
    expect(bodies.map(({ type }) => type)).toContain('loyalty.points_awarded');
  });
  const [first] = bodies;
  expect(bodies.map(({ sequence }) => sequence)).toEqual(bodies.map((_, at) => first!.sequence + at));
  await eventually(() =>
    expect(said.filter((line) => /^200 member\.created .* ms$/.test(line))).not.toEqual([]),
  );
  for (const { text } of received) expect(text).not.toContain('Ada');
});

test('only the chosen events are posted, and only those of the mode of the key', async () => {
  await listen({}, { events: 'loyalty.points_awarded', key: sandbox });
  const [ofLive, ofTest] = [await enrol(live), await enrol(sandbox)];
  const award = (key: string, id: string) =>
    stack.rest('POST', `/api/v2/members/${id}/points`, { as: key, body: { amount: 5 } });
  await eventually(async () => {
    await award(live, ofLive);
    await award(sandbox, ofTest);
    expect(received.length).toBeGreaterThan(0);
  });
  for (const { text } of received)
    expect(JSON.parse(text)).toMatchObject({
      type: 'loyalty.points_awarded',
      data: { member_ref: ofTest },
    });
});

test('the failure of a receiver is printed, and the next event is posted', async () => {
  const { said } = await listen({ LOYALTY_API_KEY: live });
  status = 503;
  await untilSubscribed(live);
  expect(said.some((line) => line.startsWith('503 member.created'))).toBe(true);
  const closed = await listen({ LOYALTY_API_KEY: live }, { forward: await unusedAddress() });
  await eventually(async () => {
    await enrol(live);
    expect(closed.said.filter((line) => line.startsWith('failed (ECONNREFUSED)')).length).toBeGreaterThan(1);
  });
});

test('after a lost connection the command connects and subscribes again', async () => {
  const sockets = new Set<Socket>();
  const proxy = createProxy((socket) => {
    const onward = connect(Number(new URL(stack.url).port), '127.0.0.1');
    for (const [from, to] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      sockets.add(from);
      from.on('error', () => undefined).on('close', () => to.destroy());
      from.pipe(to);
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  stack.beforeClose(() => proxy.close());
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const { said } = await listen({ LOYALTY_API_KEY: live }, { url });
  await untilSubscribed(live);
  for (const socket of sockets) socket.destroy();
  await eventually(() => expect(said.filter((line) => line.startsWith('Connected'))).toHaveLength(2));
  expect(said.some((line) => line.startsWith('No connection to 127.0.0.1'))).toBe(true);
  await untilSubscribed(live);
});

test.each([
  [{}, {}, 'Set LOYALTY_API_KEY, or --key, to an API key with webhooks:manage.'],
  [{ LOYALTY_API_KEY: 'x' }, { forward: 'localhost:3000' }, '--forward must be a URL'],
  [{ LOYALTY_API_KEY: 'x' }, { url: 'nowhere' }, '--url must be a URL'],
  [{ LOYALTY_API_KEY: 'x' }, { secret: 'short' }, 'The signing secret must be'],
  [{ LOYALTY_API_KEY: 'lk_live_wrong' }, {}, 'The credential is'],
])('%j with %j is refused with a sentence', async (env, options, message) => {
  const work = listenToWebhooks(env, { forward, url: stack.url, ...options }, () => undefined);
  const failure = await work.catch((error: unknown) => error);
  expect(failure).toMatchObject({ name: 'ConfigError' });
  expect((failure as Error).message).toContain(message);
});

test('an unknown event, and a key without the scope, are refused with a sentence', async () => {
  const said = () => undefined;
  const own = { forward, url: stack.url };
  await expect(
    listenToWebhooks({ LOYALTY_API_KEY: live }, { ...own, events: 'member.imagined' }, said),
  ).rejects.toThrow('eventTypes[0] (member.imagined) is not an event of the catalog');
  const { secret } = await stack.key(owner, ['members:read']);
  await expect(listenToWebhooks({}, { ...own, key: secret }, said)).rejects.toThrow('webhooks:manage');
});

const main = fileURLToPath(new URL('../main.ts', import.meta.url));

function run(args: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [main, ...args], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return { output: () => output, ended, stop: () => child.kill('SIGINT') };
}

test('the command prints help, posts events, and names a missing setting', async () => {
  const help = run(['webhooks', 'listen', '--help']);
  expect(await help.ended).toBe(0);
  for (const shown of ['--forward <url>', '--events <keys>', 'LOYALTY_API_KEY', 'webhooks:manage'])
    expect(help.output()).toContain(shown);
  const nothing = run(['webhooks', 'listen', '--forward', forward]);
  expect(await nothing.ended).toBe(1);
  expect(nothing.output().trim()).toBe('Set LOYALTY_API_KEY, or --key, to an API key with webhooks:manage.');
  const command = run(['webhooks', 'listen', '--forward', forward, '--url', stack.url], {
    LOYALTY_API_KEY: live,
  });
  await eventually(() => expect(command.output()).toContain('Connected'));
  await untilSubscribed(live);
  expect(command.output()).toMatch(/^200 member\.created /m);
  command.stop();
  await command.ended;
});
