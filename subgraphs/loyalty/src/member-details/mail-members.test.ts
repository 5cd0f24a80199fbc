import { expect, test } from '@jest/globals';
import type { Context } from '@loyalty/platform/context';
import { useServices } from '@loyalty/test/harness/services';
import { setMemberConsent } from '../consents/consents.service.ts';
import { archiveCustomField, defineCustomField } from '../fields/custom-fields.service.ts';
import { ask, given } from '../loyalty.fixture.ts';
import { awardPoints } from '../points/points.service.ts';
import { place } from '../visits/visits.fixture.ts';
import { customFieldKeys as fieldKeys, mailMembers } from './mail-members.service.ts';
import { updateMember } from './member-details.service.ts';

const { services, ctx, newContext } = useServices();

const one = async (of: Context, id: string) => (await mailMembers(of, [id])).members[0];

test('a member is found with what a mail needs, personal data unmasked', async () => {
  await place.workspace(ctx, 'Europe/Lisbon');
  await given.tiers(ctx, { Silver: 10 });
  await defineCustomField(ctx, { key: 'colour', label: 'Colour', type: 'TEXT' });
  await defineCustomField(ctx, { key: 'gone', label: 'Gone', type: 'TEXT' });
  const { id } = await given.member(ctx, {
    email: 'ada@example.com',
    fullName: ' Ada  King Lovelace',
    locale: 'en-GB',
    customAttributes: { colour: 'blue', gone: 'x' },
  });
  await archiveCustomField(ctx, 'gone');
  await awardPoints(ctx, id, { amount: 25 });
  const { members, customFieldKeys } = await mailMembers(ctx, [id]);
  expect(customFieldKeys.toSorted()).toEqual(['colour', 'gone']);
  expect(members).toEqual([
    {
      id,
      status: 'ACTIVE',
      isRestricted: false,
      email: 'ada@example.com',
      emailIndex: expect.any(String),
      fullName: 'Ada  King Lovelace',
      firstName: 'Ada',
      locale: 'en-GB',
      timeZone: 'Europe/Lisbon',
      pointsBalance: 25,
      tier: 'Silver',
      customAttributes: { colour: 'blue' },
      consents: ['EMAIL_MARKETING'],
    },
  ]);
  expect(await fieldKeys(newContext())).toEqual([]);
});

test('the time zone is that of the member, else of the home store, else of the workspace', async () => {
  await place.workspace(ctx, 'Europe/Lisbon');
  const homeStoreId = await place.store(ctx, 'Atlantic/Azores');
  const zoneless = await place.store(ctx);
  const zones = async (...ids: string[]) => {
    const { members } = await mailMembers(ctx, ids);
    return ids.map((id) => members.find((member) => member.id === id)?.timeZone);
  };
  const own = await given.member(ctx, { homeStoreId, timeZone: 'Asia/Tokyo' });
  const ofStore = await given.member(ctx, { homeStoreId });
  const ofZoneless = await given.member(ctx, { homeStoreId: zoneless });
  const bare = await given.member(ctx);
  expect(await zones(own.id, ofStore.id, ofZoneless.id, bare.id)).toEqual([
    'Asia/Tokyo',
    'Atlantic/Azores',
    'Europe/Lisbon',
    'Europe/Lisbon',
  ]);
  await updateMember(ctx, own.id, { timeZone: null });
  expect(await zones(own.id)).toEqual(['Atlantic/Azores']);
});

test('a withdrawn consent is not among those of the member, and a granted one is', async () => {
  const { id } = await given.member(ctx);
  await setMemberConsent(ctx, id, { purpose: 'EMAIL_MARKETING', granted: false });
  await setMemberConsent(ctx, id, { purpose: 'PROFILING', granted: true });
  expect((await one(ctx, id))?.consents).toEqual(['PROFILING']);
});

test('members of another workspace or mode, and unknown ones, are left out', async () => {
  const { id } = await given.member(ctx);
  expect(await one(newContext(), id)).toBeUndefined();
  expect(await one(newContext({ ...ctx.caller, mode: 'TEST' }), id)).toBeUndefined();
});

test('nobody but the product can ask', async () => {
  const query = '{ _mailMembers(ids: []) { customFieldKeys } }';
  await expect(ask(ctx, query)).rejects.toMatchObject({ code: 'CALLER_REFUSED' });
  await expect(ask(ctx, '{ _customFieldKeys }')).rejects.toMatchObject({ code: 'CALLER_REFUSED' });
});

test('fifty members cost as many statements as one', async () => {
  await place.workspace(ctx);
  const homeStoreId = await place.store(ctx, 'Asia/Tokyo');
  const ids: string[] = [];
  for (let count = 0; count < 50; count += 1)
    ids.push((await given.member(ctx, { homeStoreId, fullName: `Member ${count}` })).id);
  const statementsFor = async (asked: readonly string[]) => {
    services.statements.length = 0;
    const { members } = await mailMembers(newContext(ctx.caller), asked);
    expect(members).toHaveLength(asked.length);
    return services.statements.length;
  };
  await statementsFor(ids);
  expect(await statementsFor(ids)).toBe(await statementsFor(ids.slice(0, 1)));
});

test.each(['Mars/Olympus', '+02:00', ''])('%j is no time zone of a member', async (timeZone) => {
  await expect(given.member(ctx, { timeZone })).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
    details: { field: 'input.timeZone' },
  });
});

test('a time zone is set, read and cleared in the graph', async () => {
  const create = `mutation { createMember(input: {email: "bo@example.com", timeZone: "Europe/Berlin"}) { id timeZone } }`;
  const { createMember } = await ask(ctx, create);
  expect(createMember.timeZone).toBe('Europe/Berlin');
  const update = `mutation ($id: ID!) { updateMember(id: $id, input: {timeZone: null}) { timeZone } }`;
  expect((await ask(ctx, update, { id: createMember.id })).updateMember.timeZone).toBeNull();
});
