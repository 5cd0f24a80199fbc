import { drawReceipt, receiptLines } from '@loyalty/commerce-subgraph/receipts/receipts.fixture';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../../harness/eventually.ts';
import type { Site } from '../site.fixture.ts';
import { givenColleague, givenMember } from './office.fixture.ts';

/** What is refused, and a part of its sentence. */
type Wrong = readonly [typed: string, sentence: string];

/** What one input of a form takes. */
export interface FormField {
  readonly label: string | RegExp;
  readonly input?: 'text' | 'choice' | 'picker' | 'file' | 'preset';
  /** What is typed or chosen. */
  readonly value: string;
  /** Left empty, it has its sentence. */
  readonly isRequired?: boolean;
  readonly wrong?: Wrong;
}

/** A form of the back office: how it is opened, and what it takes and sends. */
export interface FormRow {
  /** Its file and its component. */
  readonly form: string;
  /** What it is about, where a component has two forms. */
  readonly of?: string;
  /** Its screen; `:member` and the like stand for ids. */
  readonly path: string;
  readonly open?: (page: Page) => Promise<void>;
  /** What holds its inputs: by default the dialog with the title `name`. */
  readonly root?: (page: Page) => Locator;
  /** What is done, as the title and by default the button say it. */
  readonly name: string;
  readonly submit?: string | RegExp;
  /** A second press asks for this one. */
  readonly confirm?: RegExp;
  /** Name of its operation. */
  readonly mutation: string;
  readonly fields?: readonly FormField[];
  /** What shows that it is done: by default its dialog is gone. */
  readonly done?: (page: Page) => Locator;
  /** Is it for people who are not signed in? */
  readonly isOutside?: boolean;
  /** Is it checked with a session that ends? One form for each way that a form is made. */
  readonly hasSessionEnd?: boolean;
  /** Once the act was done its form is gone, so that only a call that did not arrive is sent again. */
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

/** What the forms are about; returns what `:member` and the like stand for in an address. */
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
