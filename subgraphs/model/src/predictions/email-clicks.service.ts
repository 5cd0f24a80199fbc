import { addMs, DAY_MS } from '@loyalty/platform/base/clock';
import type { Context } from '@loyalty/platform/context';
import { timeZoneOf } from '@loyalty/platform/database/time-zone';
import { predictLogistic } from '../numerics/logistic.ts';
import { hashOf } from '../numerics/seeded-random.ts';
import { keepFit } from '../standard-model/fits.service.ts';
import { type MemberBlock, memberBlocks, withLongTimeout } from '../standard-model/member-blocks.service.ts';
import type { Cutoff, StatisticsBlock } from '../standard-model/statistics-block.ts';
import {
  type MailSummary,
  mailSummaries,
  mailsOf,
  purchaseDaysOf,
  type SentMail,
  sendsByDay,
} from './email-clicks.store.ts';
import { type EmailClickFit, type EmailSamples, fitEmailClicks } from './email-clicks.ts';
import { historiesOf, rawOf, type TimedEmail, writeFeatures } from './email-history.ts';

/** Days after sending within which a click counts. */
const CLICK_DAYS = 7;
/** The most mails that a fit uses; the latest ones. */
const SENDS_MAX = 200_000;
/** Receipts per read. */
const BLOCK = 20_000;

/** The mails of a fit: the range of their sending times, and the share of the members. */
interface Window {
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly share: number;
}

/**
 * Fits the clicks of mails within 7 days, on the latest 200,000 mails whose 7 days are over, each with the
 * data known about its member before it was sent. If there is no fit, the reason is stored.
 *
 * @param sendsMax - mails that the fit uses
 * @remarks Source: requirements L-PRO-04, L-PRO-07
 */
export async function refitEmailClicks(ctx: Context, sendsMax = SENDS_MAX): Promise<void> {
  const window = await windowOf(ctx, sendsMax);
  const timeZone = await timeZoneOf(ctx);
  const samples: Samples = { memberIds: [], raw: [], opened: [], clicked: [] };
  for await (const block of receiptBlocks(ctx)) {
    const mails = await withLongTimeout(ctx, (tx) => mailsOf(tx, block, ctx.clock.now(), timeZone));
    const members = [...Map.groupBy(mails, ({ memberId }) => memberId)].filter(
      ([id]) => hashOf(id) / 2 ** 32 < window.share,
    );
    const ids = members.map(([memberId]) => memberId);
    const purchases = await withLongTimeout(ctx, (tx) => purchaseDaysOf(tx, ids, timeZone));
    const daysOf = new Map(purchases.map(({ memberId, days }) => [memberId, days]));
    for (const [memberId, own] of members) {
      const purchaseDays = (daysOf.get(memberId) ?? []).toSorted((a, b) => a - b);
      addSamples(samples, { memberId, mails: own, purchaseDays }, window);
    }
  }
  await keepFit(ctx, 'EMAIL_CLICKS', fitEmailClicks(samples));
}

/**
 * Returns the chances from 0 to 1 that members click a mail sent at the cutoff, in the order of `memberIds`.
 *
 * @param statistics - of the same members at the same cutoff
 */
export async function clickChances(
  ctx: Context,
  fit: EmailClickFit & { readonly gap: null },
  memberIds: readonly string[],
  statistics: StatisticsBlock,
  cutoff: Cutoff,
): Promise<number[]> {
  const summaries = await mailSummaries(ctx, memberIds, new Date(cutoff.ms), await timeZoneOf(ctx));
  const byId = new Map(summaries.map((summary) => [summary.memberId, summary]));
  return memberIds.map((memberId, row) => {
    const features: number[] = [];
    writeFeatures(rawOf(historyAt(byId.get(memberId), statistics, row), cutoff), fit.rates, features);
    return predictLogistic(fit.model, features);
  });
}

function historyAt(mails: MailSummary | undefined, statistics: StatisticsBlock, row: number) {
  const hasPurchase = statistics.purchaseDays[row]! > 0;
  return {
    sends: mails?.sends ?? 0,
    opens: mails?.opens ?? 0,
    clicks: mails?.clicks ?? 0,
    lastTouchMs: mails?.lastTouchAt?.getTime() ?? null,
    firstSendDay: mails?.firstSendDay ?? null,
    firstPurchaseDay: hasPurchase ? statistics.firstDay[row]! : null,
    lastPurchaseDay: hasPurchase ? statistics.lastDay[row]! : null,
    decayedOrders: statistics.decayedOrders[row]!,
  };
}

const receiptBlocks = (ctx: Context): AsyncGenerator<MemberBlock> =>
  memberBlocks(ctx, 'channel_receipt_facts', {
    since: new Date(0),
    size: BLOCK,
    factsMax: Number.POSITIVE_INFINITY,
  });

/**
 * Returns the days of the latest mails that are enough for a fit; if these are too many mails, a share of the
 * members.
 */
async function windowOf(ctx: Context, sendsMax: number): Promise<Window> {
  const until = addMs(ctx.clock.now(), -CLICK_DAYS * DAY_MS);
  const counted = new Map<number, number>();
  for await (const block of receiptBlocks(ctx))
    for (const { day, sends } of await withLongTimeout(ctx, (tx) => sendsByDay(tx, block, until)))
      counted.set(day, (counted.get(day) ?? 0) + sends);
  let total = 0;
  let sinceDay = 0;
  for (const [day, sends] of [...counted].sort(([a], [b]) => b - a)) {
    if (total >= sendsMax) break;
    total += sends;
    sinceDay = day;
  }
  return { sinceMs: sinceDay * DAY_MS, untilMs: until.getTime(), share: Math.min(1, sendsMax / total) };
}

type Samples = { [Column in keyof EmailSamples]: EmailSamples[Column][number][] };

function addSamples(
  samples: Samples,
  member: {
    readonly memberId: string;
    readonly mails: readonly SentMail[];
    readonly purchaseDays: readonly number[];
  },
  { sinceMs, untilMs }: Window,
): void {
  const mails = member.mails.map(
    ({ sentAt, sentDay, openedAt, clickedAt }): TimedEmail => ({
      sentMs: sentAt.getTime(),
      sentDay,
      openedMs: openedAt?.getTime() ?? null,
      clickedMs: clickedAt?.getTime() ?? null,
    }),
  );
  historiesOf(mails, member.purchaseDays).forEach((history, place) => {
    const { sentMs, sentDay, openedMs, clickedMs } = mails[place]!;
    if (sentMs < sinceMs || sentMs > untilMs) return;
    samples.memberIds.push(member.memberId);
    samples.raw.push(...rawOf(history, { ms: sentMs, day: sentDay }));
    samples.opened.push(Number(openedMs !== null));
    samples.clicked.push(Number(clickedMs !== null && clickedMs <= sentMs + CLICK_DAYS * DAY_MS));
  });
}
