import { expect, test } from '@jest/globals';
import { askOf } from '@loyalty/test/harness/ask';
import { useServices } from '@loyalty/test/harness/services';
import { engagement } from '../subgraph.ts';

const { ctx, fresh, newContext } = useServices();
const ask = askOf(engagement);
const FIELDS = 'marketingPerDay marketingPerWeek quietFrom quietUntil isOpenTracked isClickTracked';
const UPDATE = `mutation ($input: UpdateMessageSettingsInput!) { updateMessageSettings(input: $input) { ${FIELDS} } }`;
const defaults = {
  marketingPerDay: null,
  marketingPerWeek: null,
  quietFrom: null,
  quietUntil: null,
  isOpenTracked: true,
  isClickTracked: true,
};
const settings = async (on = fresh()) =>
  (await ask(on, `{ messageSettings { ${FIELDS} } }`)).data.messageSettings;

test('what is absent stays, null takes a limit away, and other workspaces keep theirs', async () => {
  expect(await settings()).toEqual(defaults);
  await ask(ctx, UPDATE, { input: { marketingPerDay: 2, quietFrom: '21:00', quietUntil: '08:00' } });
  await ask(fresh(), UPDATE, { input: { isOpenTracked: false } });
  const set = {
    ...defaults,
    marketingPerDay: 2,
    quietFrom: '21:00',
    quietUntil: '08:00',
    isOpenTracked: false,
  };
  expect(await settings()).toEqual(set);
  await ask(fresh(), UPDATE, { input: { marketingPerDay: null, quietFrom: null, quietUntil: null } });
  expect(await settings()).toEqual({ ...defaults, isOpenTracked: false });
  expect(await settings(newContext())).toEqual(defaults);
});

test('two changes at once both count', async () => {
  const inputs = [
    { marketingPerDay: 3 },
    { isClickTracked: false },
    { quietFrom: '22:00', quietUntil: '07:00' },
  ];
  await Promise.all(inputs.map((input) => ask(fresh(), UPDATE, { input })));
  expect(await settings()).toEqual({ ...defaults, ...inputs[0], ...inputs[1], ...inputs[2] });
});

test.each([
  [{ marketingPerDay: 1, marketingPerWeek: 1 }],
  [{ marketingPerDay: 100, marketingPerWeek: 100 }],
  [{ marketingPerWeek: 500 }],
])('the least and the largest counts of messages are kept: %j', async (input) => {
  await ask(fresh(), UPDATE, { input });
  expect(await settings()).toEqual({ ...defaults, ...input });
});

test.each([
  [{ marketingPerDay: 0 }, 'input.marketingPerDay'],
  [{ marketingPerDay: 101 }, 'input.marketingPerDay'],
  [{ marketingPerWeek: 501 }, 'input.marketingPerWeek'],
  [{ marketingPerDay: 5, marketingPerWeek: 4 }, 'input.marketingPerWeek'],
  [{ quietFrom: '24:00', quietUntil: '08:00' }, 'input.quietFrom'],
  [{ quietFrom: '9:00', quietUntil: '08:00' }, 'input.quietFrom'],
  [{ quietFrom: '21:00' }, 'input.quietUntil'],
  [{ quietUntil: '08:00' }, 'input.quietFrom'],
  [{ quietFrom: '21:00', quietUntil: '21:00' }, 'input.quietUntil'],
])('what does not fit is refused by name, and nothing changes: %j', async (input, field) => {
  const answer = await ask(fresh(), UPDATE, { input });
  expect(answer.message).toMatch(new RegExp(`^${field} `));
  expect(await settings()).toEqual(defaults);
});
