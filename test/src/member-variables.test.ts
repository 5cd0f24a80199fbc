import { expect, test } from '@jest/globals';
import { unsubscribe } from '@loyalty/engagement-subgraph/suppressions/suppressions.service';
import { memberVariables } from '@loyalty/engagement-subgraph/templates/member-variables.service';
import { render } from '@loyalty/engagement-subgraph/templates/render';
import {
  archiveCustomField,
  defineCustomField,
} from '@loyalty/loyalty-subgraph/fields/custom-fields.service';
import { given } from '@loyalty/loyalty-subgraph/loyalty.fixture';
import { useServices } from './harness/services.ts';

const { services, ctx, newContext, fresh } = useServices();

test('a member is known with names, custom fields, consents and why the address must not be mailed', async () => {
  for (const key of ['colour', 'size', 'gone'])
    await defineCustomField(ctx, { key, label: key, type: 'TEXT' });
  const { id } = await given.member(ctx, {
    ...{ email: 'ada@example.com', fullName: 'Ada Lovelace', timeZone: 'Europe/Lisbon' },
    customAttributes: { colour: 'blue', gone: 'x' },
  });
  await archiveCustomField(ctx, 'gone');
  await unsubscribe(ctx, 'ada@example.com');
  const found = (await memberVariables(ctx, [id])).get(id)!;
  expect(found).toMatchObject({
    ...{ email: 'ada@example.com', timeZone: 'Europe/Lisbon', status: 'ACTIVE', isRestricted: false },
    fields: { colour: 'blue', size: null, gone: null },
    member: {
      id,
      first_name: 'Ada',
      full_name: 'Ada Lovelace',
      points_balance: 0,
      tier: null,
      colour: 'blue',
    },
    ...{ consents: ['EMAIL_MARKETING'], suppressed: ['UNSUBSCRIBED'] },
  });
  const source =
    '{{ member.first_name }} {{ colour }}{{ size }}{{ gone }} {{ member.tier | default: "none" }}';
  const { html } = render({ subject: '', html: source, text: '' }, { member: found.member, data: {} });
  expect(html).toBe('Ada blue none');
});

test('members of another workspace or mode are left out', async () => {
  const { id } = await given.member(ctx);
  expect((await memberVariables(newContext(), [id])).size).toBe(0);
  expect((await memberVariables(fresh({ mode: 'TEST' }), [id])).size).toBe(0);
  expect((await memberVariables(ctx, [])).size).toBe(0);
});

test('fifty members cost as many statements as one', async () => {
  const ids: string[] = [];
  for (let count = 0; count < 50; count += 1) ids.push((await given.member(ctx)).id);
  const statementsFor = async (asked: readonly string[]) => {
    services.statements.length = 0;
    expect((await memberVariables(fresh(), asked)).size).toBe(asked.length);
    return services.statements.length;
  };
  await statementsFor(ids);
  expect(await statementsFor(ids)).toBe(await statementsFor(ids.slice(0, 1)));
});
