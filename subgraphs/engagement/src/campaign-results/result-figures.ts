import type { MessageCount } from '../messages/source-messages.service.ts';
import type { AssignedGroup, LastTouchOrders } from './campaign-results.store.ts';
import { type Interval, newcombe, wilson } from './intervals.ts';

/** The share of members who ordered. */
export interface ConversionRate {
  readonly converted: number;
  readonly members: number;
  readonly rate: number | null;
  readonly interval: Interval | null;
}

/** The difference of two rates. */
export interface RateDifference {
  readonly absolute: number;
  readonly interval: Interval;
  readonly relative: number | null;
  readonly isSignificant: boolean;
}

/** Revenue in one currency. */
export interface CampaignRevenue {
  readonly revenue: { readonly amountMinor: bigint; readonly currency: string };
  readonly orders: number;
  readonly perRecipientMinor: number | null;
}

/** The results of some members of the audience. */
export interface CampaignResult {
  readonly recipients: number;
  readonly sent: number;
  readonly delivered: number;
  readonly opened: number;
  readonly clicked: number;
  readonly unsubscribed: number;
  readonly conversion: ConversionRate;
  readonly orders: number;
  readonly revenue: readonly CampaignRevenue[];
}

/** The data of results. Each part may contain several variants. */
export interface MeasuredParts {
  readonly groups: readonly AssignedGroup[];
  readonly messages: readonly MessageCount[];
  readonly orders: readonly LastTouchOrders[];
}

const sentStatuses: ReadonlySet<string> = new Set([
  'SENT',
  'DELIVERED',
  'BOUNCED',
  'COMPLAINED',
  'SIMULATED',
]);
/** The statuses of delivered messages. A message with a complaint was delivered. */
const deliveredStatuses: ReadonlySet<string> = new Set(['DELIVERED', 'COMPLAINED']);

const sum = <Row>(rows: readonly Row[], numberIn: (row: Row) => number): number =>
  rows.reduce((total, row) => total + numberIn(row), 0);

/** Computes the results of members who are not held out. */
export function resultOf({ groups, messages, orders }: MeasuredParts): CampaignResult {
  const conversion = conversionOf(groups);
  const having = (statuses: ReadonlySet<string>) => messages.filter(({ status }) => statuses.has(status));
  const count = (row: MessageCount) => row.count;
  return {
    recipients: conversion.members,
    sent: sum(having(sentStatuses), count),
    delivered: sum(having(deliveredStatuses), count),
    opened: sum(messages, ({ opened }) => opened),
    clicked: sum(messages, ({ clicked }) => clicked),
    unsubscribed: sum(messages, ({ unsubscribed }) => unsubscribed),
    conversion,
    orders: sum(orders, (row) => row.orders),
    revenue: revenueOf(orders, conversion.members),
  };
}

/** Returns revenue by currency, most orders first. */
function revenueOf(orders: readonly LastTouchOrders[], recipients: number): CampaignRevenue[] {
  const byCurrency = Map.groupBy(orders, ({ currency }) => currency);
  return [...byCurrency]
    .map(([currency, rows]) => {
      const amountMinor = rows.reduce((total, { revenueMinor }) => total + revenueMinor, 0n);
      return {
        revenue: { amountMinor, currency },
        orders: sum(rows, (row) => row.orders),
        perRecipientMinor: recipients > 0 ? Number(amountMinor) / recipients : null,
      };
    })
    .sort((a, b) => b.orders - a.orders || a.revenue.currency.localeCompare(b.revenue.currency));
}

/** Computes the conversion rate of members, with Wilson's interval. */
export function conversionOf(groups: readonly AssignedGroup[]): ConversionRate {
  const members = sum(groups, (group) => group.members);
  const converted = sum(groups, (group) => group.converted);
  return {
    converted,
    members,
    rate: members > 0 ? converted / members : null,
    interval: wilson(converted, members),
  };
}

/** Computes the first rate minus the second, with Newcombe's interval; null if one of the groups is empty. */
export function differenceOf(one: ConversionRate, other: ConversionRate): RateDifference | null {
  const interval = newcombe(one.converted, one.members, other.converted, other.members);
  if (!interval) return null;
  const [rate, base] = [one.rate!, other.rate!];
  return {
    absolute: rate - base,
    interval,
    relative: base > 0 ? (rate - base) / base : null,
    isSignificant: interval.low > 0 || interval.high < 0,
  };
}

/** Computes the extra orders of treated members, compared with the same number of held-out members. */
export function extraOrders(
  treated: readonly AssignedGroup[],
  heldOut: readonly AssignedGroup[],
): number | null {
  const [members, control] = [treated, heldOut].map((groups) => sum(groups, (group) => group.members));
  if (!members || !control) return null;
  const ordersOf = (groups: readonly AssignedGroup[]) => sum(groups, (group) => group.orders);
  return ordersOf(treated) - (ordersOf(heldOut) / control) * members;
}
