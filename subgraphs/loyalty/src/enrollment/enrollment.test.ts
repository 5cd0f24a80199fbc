import { beforeEach, describe, expect, test } from '@jest/globals';
import { DAY_MS, MINUTE_MS } from '@loyalty/platform/base/clock';
import type { Context } from '@loyalty/platform/context';
import { publishedEvents } from '@loyalty/test/harness/published-events';
import { useServices } from '@loyalty/test/harness/services';
import { isInputObjectType, isNonNullType } from 'graphql';
import { setEnrollmentFormActive } from '../enrollment-forms/enrollment-forms.service.ts';
import type { EnrollmentForm } from '../enrollment-forms/enrollment-forms.store.ts';
import { defineCustomField } from '../fields/custom-fields.service.ts';
import { ask, given } from '../loyalty.fixture.ts';
import { requestErasure, setMemberStatus } from '../member-status/member-status.service.ts';
import { loyalty } from '../subgraph.ts';
import { place } from '../visits/visits.fixture.ts';
import { joinBy, mailsTo, nobody, sendLinks, tokenIn } from './enrollment.fixture.ts';

const { services, ctx, fresh, newContext } = useServices();
let form: EnrollmentForm & { url: string };

const CREATE = `mutation ($input: CreateEnrollmentFormInput!) { createEnrollmentForm(input: $input) {
  id name source programId store { id } token url isActive enrolledCount confirmedCount createdAt } }`;
const CONFIRM = 'mutation ($token: String!) { confirmEnrollment(token: $token) }';

beforeEach(async () => {
  services.clock.advance(15 * MINUTE_MS);
  await place.workspace(ctx);
  form = await createForm(ctx);
});

const createForm = async (where: Context, details: object = {}) =>
  (await ask(where, CREATE, { input: { name: 'Till', source: 'QR', ...details } })).createEnrollmentForm;
const join = (input: object, address: string | null = null) =>
  joinBy(nobody(services, address), form.token, input);
const confirm = (token: string) => ask(nobody(services), CONFIRM, { token });
const members = async (where = fresh()) =>
  (
    await ask(
      where,
      `{ members { nodes { id status enrollmentSource programId homeStore { id } customAttributes
          enrollment { consents confirmedAt form { id enrolledCount confirmedCount } } } } }`,
    )
  ).members.nodes;
const counts = async () =>
  (await ask(fresh(), '{ enrollmentForms { nodes { enrolledCount confirmedCount } } }')).enrollmentForms
    .nodes[0];

test('a form makes pending members of its source, programme, store, workspace and mode', async () => {
  const storeId = await place.store(ctx);
  await defineCustomField(ctx, { key: 'size', label: 'Size', type: 'NUMBER' });
  form = await createForm(ctx, { source: 'PORTAL', programId: 'gold', storeId });
  expect(form).toEqual({
    id: expect.any(String),
    name: 'Till',
    source: 'PORTAL',
    programId: 'gold',
    store: { id: storeId },
    token: expect.stringMatching(/^[0-9A-Za-z]{22}$/),
    url: expect.stringMatching(new RegExp(`^http.+/enrol/${form.token}$`)),
    isActive: true,
    enrolledCount: 0,
    confirmedCount: 0,
    createdAt: expect.any(String),
  });
  const input = { email: 'New@Example.com', fullName: 'New Person', customAttributes: { size: 4 } };
  expect(await join({ ...input, consents: ['PROFILING', 'PROFILING'] })).toEqual({
    enrol: { accepted: true },
  });
  expect(await members()).toEqual([
    {
      id: expect.any(String),
      status: 'PENDING',
      enrollmentSource: 'PORTAL',
      programId: 'gold',
      homeStore: { id: storeId },
      customAttributes: { size: 4 },
      enrollment: {
        consents: ['PROFILING'],
        confirmedAt: null,
        form: { id: form.id, enrolledCount: 1, confirmedCount: 0 },
      },
    },
  ]);
  expect(await publishedEvents(ctx, 'member.created')).toHaveLength(1);
});

test('whether an address is a member makes no difference to the answer, its refusals and the events', async () => {
  await given.member(ctx, { email: 'known@example.com' });
  const answers = [];
  for (const email of ['unknown@example.com', 'KNOWN@example.com'])
    answers.push(await join({ email, fullName: 'Same', consents: [] }));
  expect(answers).toEqual([{ enrol: { accepted: true } }, { enrol: { accepted: true } }]);
  const requested = await publishedEvents(ctx, 'loyalty.enrollment_requested');
  expect(requested).toEqual([{ enrollmentId: expect.any(String) }, { enrollmentId: expect.any(String) }]);
  expect(await members()).toHaveLength(2);
  await sendLinks(ctx);
  expect(await mailsTo(services, 'unknown@example.com')).toHaveLength(1);
  expect(await mailsTo(services, 'known@example.com')).toHaveLength(0);
  const wrong = { phone: 'call me' };
  for (const email of ['other@example.com', 'known@example.com'])
    await expect(join({ email, ...wrong })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
});

test('of five who join with one address at once one becomes a member, and all hear the same', async () => {
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => join({ email: 'twice@example.com', fullName: 'Twice' })),
  );
  expect(answers).toEqual(Array(5).fill({ enrol: { accepted: true } }));
  expect(await members()).toHaveLength(1);
  expect(await counts()).toEqual({ enrolledCount: 1, confirmedCount: 0 });
});

test('unknown and closed forms are not found, in whichever words they are asked', async () => {
  const input = { email: 'late@example.com' };
  await expect(joinBy(nobody(services), 'nonsense', input)).rejects.toMatchObject({
    code: 'ENROLLMENT_FORM_NOT_FOUND',
  });
  const SET =
    'mutation ($id: ID!, $on: Boolean!) { setEnrollmentFormActive(id: $id, isActive: $on) { isActive } }';
  await ask(fresh(), SET, { id: form.id, on: false });
  await expect(join(input)).rejects.toMatchObject({ code: 'ENROLLMENT_FORM_NOT_FOUND' });
  await ask(fresh(), SET, { id: form.id, on: true });
  await expect(join(input)).resolves.toBeTruthy();
  const elsewhere = newContext();
  await expect(ask(elsewhere, SET, { id: form.id, on: false })).rejects.toMatchObject({
    code: 'ENROLLMENT_FORM_NOT_FOUND',
  });
  expect((await ask(elsewhere, '{ enrollmentForms { totalCount } }')).enrollmentForms.totalCount).toBe(0);
  const clerk = fresh({ role: 'MEMBER' });
  await expect(createForm(clerk)).rejects.toMatchObject({ code: 'ROLE_REQUIRED' });
  await expect(createForm(fresh(), { storeId: form.id })).rejects.toMatchObject({ code: 'STORE_NOT_FOUND' });
});

test.each([
  [{ email: 'nope' }, 'VALIDATION_FAILED'],
  [{ email: 'a@example.com', birthOn: '1800-01-01' }, 'VALIDATION_FAILED'],
  [{ email: 'a@example.com', customAttributes: { shoe: 1 } }, 'UNKNOWN_CUSTOM_FIELD'],
  [{ email: 'a@example.com', consents: ['EVERYTHING'] }, 'VALIDATION_FAILED'],
  [{ email: 'a@example.com', referralCode: 'BADE-KUFA-MEZU' }, 'REFERRAL_CODE_INVALID'],
])('%j is refused and makes no member', async (input, code) => {
  await expect(join(input)).rejects.toMatchObject({ code });
  expect(await members()).toEqual([]);
});

describe('the link', () => {
  test('makes the member active once, records its consents, and is good for one of ten at once', async () => {
    await join({ email: 'proof@example.com', consents: ['EMAIL_MARKETING'] });
    await sendLinks(ctx);
    const token = tokenIn((await mailsTo(services, 'proof@example.com')).at(-1));
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => confirm(token)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toEqual([
      { status: 'fulfilled', value: { confirmEnrollment: true } },
    ]);
    const [member] = await members();
    expect(member).toMatchObject({
      status: 'ACTIVE',
      enrollment: { confirmedAt: services.clock.now().toISOString(), form: { confirmedCount: 1 } },
    });
    expect(await publishedEvents(ctx, 'loyalty.enrollment_confirmed')).toEqual([
      { memberId: member.id, enrollmentId: expect.any(String) },
    ]);
    expect(await publishedEvents(ctx, 'member.consent_changed')).toEqual([
      { memberId: member.id, purpose: 'EMAIL_MARKETING', granted: true },
    ]);
    await expect(confirm(token)).rejects.toMatchObject({ code: 'TOKEN_INVALID' });
  });

  test('is refused where it is unknown or older than seven days', async () => {
    await join({ email: 'slow@example.com' });
    await sendLinks(ctx);
    const token = tokenIn((await mailsTo(services, 'slow@example.com')).at(-1));
    await expect(confirm('nonsense')).rejects.toMatchObject({ code: 'TOKEN_INVALID' });
    services.clock.advance(7 * DAY_MS);
    await expect(confirm(token)).rejects.toMatchObject({ code: 'TOKEN_INVALID' });
    expect((await members())[0].status).toBe('PENDING');
  });

  test('comes again to who joins again before confirming, so that no stranger can end it', async () => {
    await join({ email: 'again@example.com' });
    await sendLinks(ctx);
    await join({ email: 'again@example.com' });
    const latest = (await publishedEvents(ctx, 'loyalty.enrollment_requested')).slice(1);
    expect(latest).toEqual((await publishedEvents(ctx, 'loyalty.enrollment_requested')).slice(0, 1));
    await sendLinks(ctx);
    const tokens = (await mailsTo(services, 'again@example.com')).map(tokenIn);
    expect([tokens.length >= 2, new Set(tokens).size]).toEqual([true, 1]);
    const outcomes = await Promise.allSettled([confirm(tokens[0]!), confirm(tokens.at(-1)!)]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('is stored and published without the address or the token in plain text', async () => {
    await join({ email: 'secret.person@example.com', fullName: 'Secret Person' }, '203.0.113.77');
    await sendLinks(ctx);
    const token = tokenIn((await mailsTo(services, 'secret.person@example.com')).at(-1));
    const kept = await ctx.sql.query(
      `SELECT to_jsonb(e)::text AS row FROM loyalty.enrollments e UNION ALL
       SELECT payload::text FROM platform.outbox UNION ALL SELECT actor FROM platform.write_guards`,
    );
    const text = JSON.stringify(kept);
    expect(token).toHaveLength(64);
    for (const secret of [token, 'secret', 'Person', '203.0.113.77']) expect(text).not.toContain(secret);
  });

  test('activates nobody who left in the meantime, nor undoes what the back office did', async () => {
    for (const [email, act] of [
      ['leaver@example.com', (id: string) => requestErasure(fresh(), id)],
      ['idle@example.com', (id: string) => setMemberStatus(fresh(), id, 'ACTIVE')],
    ] as const) {
      await join({ email });
      await sendLinks(ctx);
      const [member] = await members();
      await act(member.id);
    }
    const [leaver, idle] = await Promise.all(
      ['leaver@example.com', 'idle@example.com'].map(async (email) =>
        tokenIn((await mailsTo(services, email)).at(-1)),
      ),
    );
    await expect(confirm(leaver!)).rejects.toMatchObject({ code: 'TOKEN_INVALID' });
    await expect(confirm(idle!)).resolves.toEqual({ confirmEnrollment: true });
    expect((await members()).map(({ status }: { status: string }) => status)).toEqual([
      'ACTIVE',
      'DEACTIVATION_PENDING',
    ]);
  });
});

test('the page of an open form says whom it is of and what it asks for, to anybody', async () => {
  const read = async (token: string) =>
    (
      await ask(
        nobody(services),
        `query ($token: String!) { enrollmentPage(token: $token) {
           workspaceName fields { name isRequired } consents } }`,
        { token },
      )
    ).enrollmentPage;
  const page = await read(form.token);
  expect(page).toEqual({
    workspaceName: expect.any(String),
    fields: expect.arrayContaining([
      { name: 'email', isRequired: true },
      { name: 'fullName', isRequired: false },
    ]),
    consents: ['PRECISE_LOCATION', 'EMAIL_MARKETING', 'PROFILING'],
  });
  const input = loyalty.schema.getType('EnrolInput');
  if (!isInputObjectType(input)) throw new Error('EnrolInput is no input type.');
  for (const { name, isRequired } of page.fields)
    expect([name, isNonNullType(input.getFields()[name]?.type)]).toEqual([name, isRequired]);
  expect(await read('nobodys-token')).toBeNull();
  await setEnrollmentFormActive(fresh(), form.id, false);
  expect(await read(form.token)).toBeNull();
});

test('a form of test mode makes test members, who get no mail', async () => {
  const testing = newContext({ workspaceId: ctx.scope.workspaceId, mode: 'TEST' });
  const { token } = await createForm(testing);
  await joinBy(nobody(services), token, { email: 'tester@example.com' });
  await sendLinks(testing);
  expect(await mailsTo(services, 'tester@example.com')).toEqual([]);
  expect(await members(testing)).toHaveLength(1);
  expect(await members()).toHaveLength(0);
});

describe('who joins too often', () => {
  test('from one network address is turned away after thirty, and others are not', async () => {
    for (let n = 0; n < 30; n += 1) await join({ email: `guest${n}@example.com` }, '203.0.113.9');
    await expect(join({ email: 'guest31@example.com' }, '203.0.113.9')).rejects.toMatchObject({
      code: 'RATE_LIMITED',
    });
    await expect(join({ email: 'guest31@example.com' }, '203.0.113.10')).resolves.toBeTruthy();
    services.clock.advance(15 * MINUTE_MS);
    await expect(join({ email: 'guest32@example.com' }, '203.0.113.9')).resolves.toBeTruthy();
  });

  test('with one address, a member or not, is turned away after five from one place', async () => {
    await given.member(ctx, { email: 'victim@example.com' });
    for (const email of ['victim@example.com', 'stranger@example.com']) {
      for (let n = 0; n < 5; n += 1) await join({ email });
      await expect(join({ email })).rejects.toMatchObject({ code: 'RATE_LIMITED' });
      await expect(join({ email }, '203.0.113.10')).resolves.toBeTruthy();
    }
  });

  test('with one address from everywhere is turned away after fifty', async () => {
    const email = 'known@example.com';
    for (let n = 0; n < 50; n += 1) await join({ email }, `203.0.113.${30 + Math.floor(n / 5)}`);
    await expect(join({ email }, '203.0.113.99')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  });
});
