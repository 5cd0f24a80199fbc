import { addMs, DAY_MS, HOUR_MS } from '@loyalty/platform/base/clock';
import type { Ask } from './ask.ts';
import type { MovableClock } from './movable-clock.ts';
import { chances, type Person, people } from './seed-people.ts';

const MEMBERS = 360;
const DAYS = 180;
/** From this day, orders are created day by day. Earlier orders are imported from a file. */
const LIVE_FROM = 120;
/** Before that day, the history is written in steps of this many days. */
const STEP_DAYS = 6;
/** The worker may be behind the written history by this many days. */
const WORKER_BEHIND_DAYS = 3;
const COUPON_COST = 60;
const WELCOME_POINTS = 15;

/** A person who has enrolled. */
interface Guest extends Person {
  readonly id: string;
  readonly storeId: string;
  /** Approximate points balance of the guest. */
  points: number;
}

interface History {
  readonly clock: MovableClock;
  readonly ask: Ask;
  readonly storeIds: readonly string[];
  readonly poolId: string;
  /** Waits until the worker has done everything that follows from the written data. */
  readonly waitForWorker: () => Promise<void>;
  /** Called from time to time with the share of the history that is written, from 0 to 1. */
  readonly report: (share: number) => void;
}

/**
 * Writes half a year of a coffee house: members join, buy, visit, spend points and stay away. For each part
 * the clock is set to the time at which it happens.
 *
 * @returns the ids of the members who read mail, and the number of all members
 */
export async function seedHistory(history: History): Promise<{ readerIds: string[]; count: number }> {
  const { ask, clock, waitForWorker, report } = history;
  const end = clock.now();
  const goTo = (day: number) => clock.set(addMs(end, (day - DAYS) * DAY_MS + 2 * HOUR_MS));
  const chance = chances(7);
  const coming = people(MEMBERS, DAYS);
  const guests: Guest[] = [];
  const before: Order[] = [];
  const joinUntil = async (day: number, days: number) => {
    goTo(day);
    report(day / DAYS);
    const joining = coming.filter(({ joinsOn }) => joinsOn >= day && joinsOn < day + days);
    guests.push(...(await enrol(history, joining)));
    return guests.filter(({ leavesOn }) => leavesOn > day);
  };
  for (let day = 0; day < LIVE_FROM; day += STEP_DAYS)
    before.push(...ordersOf(await joinUntil(day, STEP_DAYS), clock.now(), STEP_DAYS, chance));
  await waitForWorker();
  await importOrders(ask, before);
  const imported = await importCards(ask);
  await ask(BULK_AWARD, {
    input: { amount: WELCOME_POINTS, description: 'For your old card', status: 'ACTIVE' },
  });
  // Imported orders earned no points.
  for (const guest of guests) guest.points = WELCOME_POINTS;
  await waitForWorker();
  for (let day = LIVE_FROM; day < DAYS; day += 1) {
    const present = await joinUntil(day, 1);
    const orders = ordersOf(present, clock.now(), 1, chance);
    const visits = orders.filter((_, index) => index % 4 === 0);
    await Promise.all([
      orders.length > 0 && ask(ORDERS, { input: orders }),
      ...visits.map(({ memberId, storeId }) => ask(VISIT, { memberId, storeId })),
      spend(history, present),
    ]);
    if (day % WORKER_BEHIND_DAYS === 0) await waitForWorker();
  }
  clock.set(addMs(end, -HOUR_MS));
  await correct(history, guests);
  await waitForWorker();
  const readers = guests.filter(({ readsMail, isUnsubscribed }) => readsMail && !isUnsubscribed);
  return { readerIds: readers.map(({ id }) => id), count: guests.length + imported };
}

async function enrol({ ask, storeIds }: History, joining: readonly Person[]): Promise<Guest[]> {
  if (joining.length === 0) return [];
  const input = joining.map(({ externalId, email, fullName, locale, customAttributes, store }) => ({
    externalId,
    email,
    fullName,
    locale,
    customAttributes,
    storeId: storeIds[store]!,
  }));
  const { upsertMembers } = await ask(ENROL, { input });
  const { results } = upsertMembers as { results: { member: { id: string } }[] };
  const guests = joining.map((person, index) => ({
    ...person,
    id: results[index]!.member.id,
    storeId: storeIds[person.store]!,
    points: 0,
  }));
  await Promise.all(
    guests.map(({ id, email, readsMail, isUnsubscribed }) => {
      if (isUnsubscribed) return ask(UNSUBSCRIBE, { email });
      return readsMail && ask(CONSENT, { memberId: id });
    }),
  );
  return guests;
}

const menu = [
  { name: 'Flat white', unitPrice: 420 },
  { name: 'Espresso', unitPrice: 240 },
  { name: 'Beans, 250 g', unitPrice: 1_190 },
  { name: 'Lunch of the day', unitPrice: 1_350 },
  { name: 'Cheesecake', unitPrice: 560 },
] as const;

interface Order {
  readonly externalOrderId: string;
  readonly memberId: string;
  readonly storeId: string;
  readonly currency: string;
  readonly total: number;
  readonly occurredAt: Date;
  readonly items: readonly { readonly name: string; readonly unitPrice: number; readonly quantity: number }[];
}

/** Returns the orders of the guests in the days before `now`. */
function ordersOf(present: readonly Guest[], now: Date, days: number, chance: () => number): Order[] {
  return present.flatMap((guest) => {
    if (chance() >= guest.ordersPerDay * days) return [];
    const items = Array.from({ length: 1 + Math.floor(chance() * 3) }, () => ({
      ...menu[Math.floor(chance() * menu.length)]!,
      quantity: 1 + Math.floor(chance() * 2),
    }));
    const total = items.reduce((sum, { unitPrice, quantity }) => sum + unitPrice * quantity, 0);
    guest.points += Math.floor(total / 100);
    const occurredAt = addMs(now, -Math.floor(chance() * days * DAY_MS * 0.9));
    return {
      externalOrderId: `${guest.externalId}-${now.toISOString().slice(0, 10)}`,
      memberId: guest.id,
      storeId: guest.storeId,
      currency: 'EUR',
      total,
      occurredAt,
      items,
    };
  });
}

/** One guest with enough points exchanges points for a coupon and redeems it. */
async function spend({ ask, poolId }: History, present: readonly Guest[]): Promise<void> {
  const buyers = present.filter(({ points }) => points >= 2 * COUPON_COST).slice(0, 1);
  for (const guest of buyers) {
    const { redeemPointsForCoupon } = await ask(SPEND, { memberId: guest.id, poolId, cost: COUPON_COST });
    const { coupon } = redeemPointsForCoupon as { coupon: { id: string } };
    await ask(REDEEM, { id: coupon.id, storeId: guest.storeId });
    guest.points -= COUPON_COST;
  }
}

/** Imports members of an older card from a file with two invalid rows. Returns the number of valid rows. */
async function importCards(ask: Ask): Promise<number> {
  const rows = Array.from(
    { length: 40 },
    (_, index) => `card.${index + 1}@example.com,Card Owner ${index + 1},card-${index + 1}`,
  );
  const wrong = ['not-an-address,No Address,card-41', ',Nobody,card-42'];
  const { createMemberImport } = await ask(MEMBER_IMPORT, { input: { format: 'CSV' } });
  await importFile(ask, createMemberImport, ['email,full_name,external_id', ...rows, ...wrong]);
  return rows.length;
}

async function importOrders(ask: Ask, orders: readonly Order[]): Promise<void> {
  const rows = orders.map(
    ({ externalOrderId, memberId, storeId, currency, total, occurredAt }) =>
      `${externalOrderId},${memberId},${storeId},${currency},${total},${occurredAt.toISOString()}`,
  );
  const { createOrderImport } = await ask(ORDER_IMPORT, { input: { format: 'CSV' } });
  const head = 'external_order_id,member_id,store_id,currency,total,occurred_at';
  await importFile(ask, createOrderImport, [head, ...rows]);
}

async function importFile(ask: Ask, job: unknown, lines: readonly string[]): Promise<void> {
  const { id } = job as { id: string };
  const data = Buffer.from(`${lines.join('\n')}\n`).toString('base64');
  await ask(APPEND_IMPORT, { id, data });
  await ask(START_IMPORT, { id });
}

/** Makes the changes that a team makes by hand: awards, a correction and tags. */
async function correct({ ask }: History, guests: readonly Guest[]): Promise<void> {
  for (const { id } of guests.slice(0, 4))
    await ask(AWARD, { memberId: id, input: { amount: 25, description: 'Happy birthday' } });
  await ask(ADJUST, { memberId: guests[5]!.id, amount: -5, reason: 'Booked twice at the till' });
  await ask(TAG, { memberId: guests[0]!.id, keys: ['regular', 'newspaper'] });
  await ask(TAG, { memberId: guests[3]!.id, keys: ['regular'] });
}

const ENROL = `mutation Enrol($input: [UpsertMemberInput!]!) {
  upsertMembers(input: $input) { results { member { id } } }
}`;
const CONSENT = `mutation Consent($memberId: ID!) {
  setMemberConsent(memberId: $memberId, purpose: EMAIL_MARKETING, granted: true, source: "till") { id }
}`;
const UNSUBSCRIBE = 'mutation Unsubscribe($email: String!) { unsubscribe(email: $email) { isUnsubscribed } }';
const VISIT = `mutation Visit($memberId: ID!, $storeId: ID!) {
  recordStoreVisit(memberId: $memberId, storeId: $storeId) { visit { id } }
}`;
const ORDERS = 'mutation Orders($input: [OrderInput!]!) { createOrders(input: $input) { succeeded } }';
const SPEND = `mutation Spend($memberId: ID!, $poolId: ID!, $cost: PositiveInt!) {
  redeemPointsForCoupon(memberId: $memberId, poolId: $poolId, pointsCost: $cost) { coupon { id } }
}`;
const REDEEM = 'mutation Redeem($id: ID!, $storeId: ID) { redeemCoupon(id: $id, storeId: $storeId) { id } }';
const MEMBER_IMPORT =
  'mutation MemberImport($input: CreateImportInput!) { createMemberImport(input: $input) { id } }';
const ORDER_IMPORT =
  'mutation OrderImport($input: CreateImportInput!) { createOrderImport(input: $input) { id } }';
const BULK_AWARD =
  'mutation BulkAward($input: StartBulkAwardInput!) { startBulkAward(input: $input) { id } }';
const APPEND_IMPORT =
  'mutation AppendImport($id: ID!, $data: String!) { appendImport(id: $id, part: 0, data: $data) { id } }';
const START_IMPORT = 'mutation StartImport($id: ID!) { startImport(id: $id, parts: 1) { id } }';
const AWARD = `mutation Award($memberId: ID!, $input: AwardPointsInput!) {
  awardPoints(memberId: $memberId, input: $input) { id }
}`;
const ADJUST = `mutation Adjust($memberId: ID!, $amount: Int!, $reason: String!) {
  adjustPoints(memberId: $memberId, amount: $amount, reason: $reason) { id }
}`;
const TAG = `mutation Tag($memberId: ID!, $keys: [String!]!) {
  tagMember(memberId: $memberId, keys: $keys) { id }
}`;
