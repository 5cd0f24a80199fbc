import { describe, expect, test } from '@jest/globals';
import { DAY_MS, HOUR_MS } from '@loyalty/platform/base/clock';
import { publishedEvents } from '@loyalty/test/harness/published-events';
import { useServices } from '@loyalty/test/harness/services';
import { given, storedEvents, track } from './tracking.fixture.ts';

const { services, ctx, fresh, newContext } = useServices();

const visitor = () => fresh({ kind: 'PUBLISHABLE', actor: 'key:0', role: null, scopes: ['tracking:write'] });
const server = (scopes: readonly string[]) => fresh({ kind: 'KEY', actor: 'key:1', role: null, scopes });
const session = (memberId: string) => fresh({ kind: 'MEMBER', actor: `member:${memberId}`, scopes: [] });
const accepted = (count: number, duplicates = 0) => ({ accepted: count, duplicates, rejected: [] });
const rejected = (error: string) => ({
  accepted: 0,
  duplicates: 0,
  rejected: [{ index: 0, error: `${error}.` }],
});

describe('a request of events', () => {
  test('keeps the good ones and says what is wrong with each of the others', async () => {
    const now = services.clock.now().getTime();
    const answer = await track(
      ctx,
      {
        event: 'checkout.started',
        anonymousId: 'v-1',
        properties: { total: 12.5, isGift: true, note: null },
      },
      { event: 'View' },
      { anonymousId: 'ada@example.com' },
      { occurredAt: new Date(now + 6 * 60_000) },
      { occurredAt: new Date(now - 8 * DAY_MS) },
      { memberId: '0197a3c2-4be0-7c31-9a55-2f6d1f0c8e11' },
      { id: 'x'.repeat(201) },
      { memberId: 'nobody' },
      { occurredAt: new Date(now + 4 * 60_000) },
    );
    expect(answer).toEqual({
      accepted: 2,
      duplicates: 0,
      rejected: [
        'event must be at most 64 lower-case letters, digits, _ and ., and begin with a letter',
        'anonymousId must be 1 to 100 letters, digits, _, ., : and -',
        'occurredAt must be at most 5 minutes ahead',
        'occurredAt must be at most 7 days ago',
        'memberId is unknown',
        'id must have 1 to 200 characters',
        'memberId must be a UUID',
      ].map((error, place) => ({ index: place + 1, error: `${error}.` })),
    });
    expect(await storedEvents(ctx)).toHaveLength(2);
  });

  test.each([
    [{ email: 'ada@example.com' }, 'properties.email must not hold personal data'],
    [{ note: 'call Ada at +351 912 345 678' }, null],
    [{ phone: '+351 912 345 678' }, 'properties.phone must not hold personal data'],
    [{ note: 'mail to ada.l+x@mail.example.co.uk now' }, 'properties.note must not hold personal data'],
    [{ 'ada@example.com': true }, 'properties must not hold personal data'],
    [{ path: 'https://example.com/@ada/tea.html', ean: '4006381333931', at: '2026-03-02' }, null],
    [{ tags: ['a'] }, 'properties.tags must be text, a number, a boolean or null'],
    [{ text: 'x'.repeat(2_048) }, 'properties must have at most 2 KiB'],
    [
      Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`k${n}`, n])),
      'properties must have at most 20 values',
    ],
  ])('with the properties %j is answered with %s', async (properties, error) => {
    expect(await track(ctx, { properties })).toEqual(error ? rejected(error) : accepted(1));
  });

  test('needs 1 to 100 events', async () => {
    const message = 'events must be 1 to 100 events.';
    expect(await track(ctx)).toMatchObject({ code: 'BAD_USER_INPUT', message });
    expect(await track(ctx, ...Array(101).fill({}))).toMatchObject({ message });
  });

  test('costs as many statements for 100 events of members as for one', async () => {
    const members = await Promise.all(Array.from({ length: 10 }, () => given.member(ctx)));
    const send = async (count: number, name: string) => {
      const events = Array.from({ length: count }, (_, n) => ({
        ...{ id: `${name}-${n}`, memberId: members[n % 10]!, anonymousId: `${name}-${n}` },
        properties: { itemId: `item-${n}` },
      }));
      services.statements.length = 0;
      expect(await track(ctx, ...events)).toEqual(accepted(count));
      return services.statements.length;
    };
    await send(1, 'warm');
    expect(await send(100, 'many')).toBe(await send(1, 'one'));
  });
});

describe('an event with an id', () => {
  test('is kept once: sent again, twice in one request, by many at once and after midnight', async () => {
    services.clock.set(new Date('2026-03-02T23:30:00Z'));
    expect(await track(ctx, { id: 'a' }, { id: 'a' }, { id: 'b' })).toEqual(accepted(2, 1));
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => track(fresh(), { id: 'b' }, { id: 'c' })),
    );
    expect(answers.map((answer) => answer.accepted).sort()).toEqual([0, 0, 0, 0, 0, 0, 0, 1]);
    services.clock.advance(HOUR_MS);
    expect(await track(ctx, { id: 'c' }, { id: 'd' })).toEqual(accepted(1, 1));
    expect(await storedEvents(ctx)).toHaveLength(4);
  });

  test('is apart from that of another workspace, of the sandbox and of browsers', async () => {
    for (const other of [ctx, newContext(), fresh({ mode: 'TEST' }), visitor()])
      expect(await track(other, { id: 'a' })).toEqual(accepted(1));
    expect(await track(visitor(), { id: 'a' })).toEqual(accepted(0, 1));
  });

  test('that is missing counts each time', async () => {
    expect(await track(ctx, {}, {})).toEqual(accepted(2));
  });
});

describe('a visitor', () => {
  test('becomes the member with whom it is named: earlier events of 30 days and later ones are the member’s', async () => {
    const memberId = await given.member(ctx);
    await track(visitor(), { event: 'too_old', anonymousId: 'v' });
    services.clock.advance(31 * DAY_MS);
    await track(visitor(), { event: 'early', anonymousId: 'v' }, { event: 'other', anonymousId: 'w' });
    services.clock.advance(DAY_MS);
    await track(session(memberId), { event: 'login', anonymousId: 'v' });
    services.clock.advance(DAY_MS);
    await track(visitor(), { event: 'late', anonymousId: 'v' });
    const owners = (await storedEvents(ctx)).map(({ event, memberId: owner }) => [event, owner]);
    expect(owners).toEqual([
      ...[
        ['too_old', null],
        ['early', memberId],
        ['other', null],
      ],
      ...[
        ['login', memberId],
        ['late', memberId],
      ],
    ]);
  });

  test('remains the first member’s, also when two are named at once', async () => {
    const members = await Promise.all([given.member(ctx), given.member(ctx)]);
    await track(visitor(), { event: 'early', anonymousId: 'v' });
    await Promise.all(
      members.map((memberId) => track(fresh(), { event: 'login', memberId, anonymousId: 'v' })),
    );
    await track(visitor(), { event: 'later', anonymousId: 'v' });
    const stored = await storedEvents(ctx);
    const [early, later] = ['early', 'later'].map(
      (name) => stored.find(({ event }) => event === name)!.memberId,
    );
    expect(members).toContain(early);
    expect(later).toBe(early);
    expect(
      stored
        .filter(({ event }) => event === 'login')
        .map(({ memberId }) => memberId)
        .sort(),
    ).toEqual([...members].sort());
  });

  test('is named by a key with members:write only; another key records the event alone', async () => {
    const memberId = await given.member(ctx);
    await track(visitor(), { event: 'early', anonymousId: 'v' });
    expect(await track(server(['tracking:write']), { event: 'x', memberId, anonymousId: 'v' })).toEqual(
      accepted(1),
    );
    const ownerOfEarly = async () =>
      (await storedEvents(ctx)).find(({ event }) => event === 'early')!.memberId;
    expect(await ownerOfEarly()).toBeNull();
    await track(server(['tracking:write', 'members:write']), { event: 'y', memberId, anonymousId: 'v' });
    expect(await ownerOfEarly()).toBe(memberId);
  });

  test('of another workspace or of the sandbox is another one', async () => {
    const memberId = await given.member(ctx);
    await track(ctx, { memberId, anonymousId: 'v' });
    const foreign = newContext();
    const sandbox = fresh({ mode: 'TEST' });
    for (const other of [foreign, sandbox]) {
      await track(other, { anonymousId: 'v' });
      expect((await storedEvents(other)).map((event) => event.memberId)).toEqual([null]);
      expect(await track(other, { memberId })).toEqual(rejected('memberId is unknown'));
    }
  });
});

describe('a member', () => {
  test('is named by nobody with a publishable key, and by a session only if it is its own', async () => {
    const [memberId, other] = [await given.member(ctx), await given.member(ctx)];
    expect(await track(visitor(), { memberId })).toEqual(
      rejected('memberId needs the session of the member'),
    );
    expect(await track(session(memberId), { memberId: other })).toEqual(
      rejected('memberId must be the signed-in member'),
    );
    expect(await track(session(memberId), {})).toEqual(accepted(1));
    expect((await storedEvents(ctx)).map((event) => event.memberId)).toEqual([memberId]);
  });

  test('whose processing is restricted is not tracked, nor its visitor', async () => {
    const memberId = await given.member(ctx);
    await track(ctx, { memberId, anonymousId: 'v' });
    await given.restricted(ctx, memberId);
    expect(await track(ctx, { memberId })).toEqual(
      rejected('memberId must not be tracked: its processing is restricted'),
    );
    expect(await track(visitor(), { anonymousId: 'v' })).toEqual(rejected('anonymousId must not be tracked'));
    expect(await storedEvents(ctx)).toHaveLength(1);
  });
});

test('views and carts of members are published for the model, those of visitors once they are known', async () => {
  const memberId = await given.member(ctx);
  const item = { properties: { itemId: 'tea' } };
  await track(ctx, { memberId, ...item }, { event: 'add_to_cart', memberId, ...item }, { memberId });
  await track(ctx, { event: 'search', memberId, ...item }, { anonymousId: 'v', ...item });
  const published = () => publishedEvents(ctx, 'tracking.events_recorded');
  expect((await published()).map(({ eventIds }) => (eventIds as string[]).length)).toEqual([2]);
  await track(ctx, { event: 'login', memberId, anonymousId: 'v' });
  expect((await published()).map(({ eventIds }) => (eventIds as string[]).length)).toEqual([2, 1]);
});
