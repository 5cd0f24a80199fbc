import { drawReceipt, receiptLines } from '@loyalty/commerce-subgraph/receipts/receipts.fixture';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../../harness/eventually.ts';
import type { Site } from '../site.fixture.ts';
import { givenColleague, givenMember } from './office.fixture.ts';

/** A value that is refused, and a part of the message about it. */
type Wrong = readonly [typed: string, sentence: string];

/** An input of a form with the value for it. */
export interface FormField {
  readonly label: string | RegExp;
  readonly input?: 'text' | 'choice' | 'picker' | 'file' | 'preset';
  /** The value that is typed or chosen. */
  readonly value: string;
  /** Whether the field shows a message when it is empty. */
  readonly isRequired?: boolean;
  readonly wrong?: Wrong;
}

/** A form of the back office: how to open it, its values and the operation that it sends. */
export interface FormRow {
  /** Its file and its component. */
  readonly form: string;
  /** The subject of the form, if a component has more than one form. */
  readonly of?: string;
  /** The path of its screen; `:member` and the like stand for ids. */
  readonly path: string;
  readonly open?: (page: Page) => Promise<void>;
  /** The element that contains its inputs. Default: the dialog with the title `name`. */
  readonly root?: (page: Page) => Locator;
  /** The title of the form. Default text of its button, too. */
  readonly name: string;
  readonly submit?: string | RegExp;
  /** The button of the confirmation, if the form has one. */
  readonly confirm?: RegExp;
  /** The name of its operation. */
  readonly mutation: string;
  readonly fields?: readonly FormField[];
  /** An element that shows that the act is done. Default: the dialog is closed. */
  readonly done?: (page: Page) => Locator;
  /** Whether the form is for people who are not signed in. */
  readonly isOutside?: boolean;
  /** Whether the test also ends the session. It does so once for each way in which forms are built. */
  readonly hasSessionEnd?: boolean;
  /** Whether the form closes after its act. Then a call that arrived cannot be sent again from it. */
  readonly isGoneWhenDone?: boolean;
}

export const press = async (page: Page | Locator, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).first().click();
export const fromMenu = (name: string) => async (page: Page) => {
  await press(page, 'More');
  await page.getByRole('menuitem', { name, exact: true }).click();
};
export const inRow = (row: string, name: string) => async (page: Page) =>
  press(page.getByRole('row', { name: new RegExp(row) }), name);
export const inRegion = (region: string, name: string) => async (page: Page) =>
  press(page.getByRole('region', { name: region, exact: true }), name);
export const tick = (name: string, act: string) => async (page: Page) => {
  await page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).check();
  await press(page, act);
};
export const switchOf = (name: string) => async (page: Page) => page.getByRole('switch', { name }).click();

export const longerThan = (max: number): Wrong => [
  'x'.repeat(max + 1),
  `${max.toLocaleString('en-GB')} characters`,
];
export const over = (max: number): Wrong => [String(max + 1), `${max.toLocaleString('en-GB')} or less`];
export const between = (min: number, max: number): Wrong => [
  String(max + 1),
  `from ${min.toLocaleString('en-GB')} to ${max.toLocaleString('en-GB')}`,
];

export const email = (value: string, label = 'E-mail'): FormField => ({
  ...{ label, value, isRequired: true },
  wrong: ['nobody@', 'Enter a full e-mail address'],
});
export const reason: FormField = {
  label: 'Reason',
  value: 'a reason',
  isRequired: true,
  wrong: longerThan(500),
};
export const typedName = (name: string): FormField => ({
  ...{ label: `Enter ${name} to confirm`, value: name, isRequired: true },
  wrong: [`${name}?`, 'as it is written here'],
});

/** Makes the data that the forms need; returns the ids that replace `:member` and the like in a path. */
export async function givenSubjects(site: Site): Promise<Readonly<Record<string, string>>> {
  const mia = await givenMember(site, 'mia@example.com', 'Mia Moss');
  const make = async (mutation: string) =>
    (await site.admin<{ id: string }>(`mutation { answer: ${mutation} }`)).id;
  await make(`awardPoints(memberId: "${mia}", input: { amount: 90 }) { id }`);
  await make('setModule(key: "receipts", enabled: true) { id: key }');
  await make(`createEarningRule(input: {
    kind: BASE, name: "receipts", appliesTo: RECEIPT, priority: 1, rate: 1, isActive: true }) { id }`);
  for (const day of ['2026-03-01', '2026-03-02'])
    await make(`submitReceipt(input: {
      memberId: "${mia}", image: "${drawReceipt(receiptLines({ day }))}" }) { id }`);
  const pool = await make(`createCouponPool(input: {
    name: "Thanks", couponType: FIXED, discountDisplay: "5 EUR" }) { id }`);
  const codes = ['AUTUMN-1', 'AUTUMN-2', 'AUTUMN-3', 'AUTUMN-4'];
  await make(`importCoupons(poolId: "${pool}", codes: ${JSON.stringify(codes)}) { id }`);
  const order = await make(`createOrder(input: { externalOrderId: "A-1", memberId: "${mia}", currency: "EUR",
    occurredAt: "2026-05-01T12:00:00Z", total: 1250, items: [{ name: "Tea", quantity: 1, unitPrice: 1250 }]
  }) { id }`);
  await make('createTier(input: { name: "Gold", rank: 2, upgradeThreshold: 500 }) { id }');
  await make('createStore(input: { name: "Harbour", address: "Quay 1" }) { id }');
  await make('defineCustomField(input: { key: "drink", label: "Drink", type: TEXT }) { id: key }');
  await make('defineCustomField(input: { key: "cups", label: "Cups", type: NUMBER }) { id: key }');
  await make('createApiKey(input: { name: "Shop", scopes: ["members:read"], mode: LIVE }) { id: secret }');
  await make('createMemberImport(input: { format: CSV, parts: 2, fileName: "begun.csv" }) { id }');
  await givenColleague(site, 'MEMBER');
  await eventually(async () => {
    const { totalCount } = await site.admin<{ totalCount: number }>(
      '{ answer: receipts(status: IN_REVIEW) { totalCount } }',
    );
    if (totalCount !== 2) throw new Error('The receipts are being read.');
  });
  return { mia, pool, order };
}
