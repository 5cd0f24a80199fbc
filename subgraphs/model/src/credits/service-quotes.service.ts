import { addMs, DAY_MS } from '@loyalty/platform/base/clock';
import { type AppError, conflict, invalid, notFound, paymentRequired } from '@loyalty/platform/base/errors';
import { newId } from '@loyalty/platform/base/ids';
import { checkText } from '@loyalty/platform/base/input';
import type { Context } from '@loyalty/platform/context';
import { type Page, type PageArgs, pageRequest } from '@loyalty/platform/database/pages';
import { audit } from '@loyalty/platform/identity/audit';
import {
  acceptQuote,
  declineQuote,
  findQuote,
  insertQuote,
  quotesPage,
  type ServiceQuote,
} from './service-quotes.store.ts';
import { getWallet, publishWalletChanged } from './wallet.service.ts';
import type { Wallet } from './wallet.store.ts';

const TITLE_LENGTH_MAX = 200;
const CREDITS_MAX = 1_000_000_000;
const DAYS_MAX = 365;

/**
 * Offers a brand service to the workspace. Only for the operator: neither the graph nor REST has it.
 *
 * @param offer.title - description of the ledger entry, 200 characters at most
 * @param offer.credits - 1 to 1,000,000,000
 * @param offer.days - 1 to 365, after which it expires
 * @returns the quote's id
 * @throws AppError VALIDATION_FAILED (400), WORKSPACE_NOT_FOUND (404)
 * @remarks Source: model API, section 2 "Credits", rule 7; requirement M-CRD-15
 */
export async function offerServiceQuote(
  ctx: Context,
  offer: { readonly title: string; readonly credits: number; readonly days: number },
): Promise<string> {
  const title = checkText('title', offer.title, TITLE_LENGTH_MAX);
  const credits = BigInt(wholeWithin('credits', offer.credits, CREDITS_MAX));
  const days = wholeWithin('days', offer.days, DAYS_MAX);
  const id = newId(ctx.clock);
  const createdAt = ctx.clock.now();
  return ctx.transaction(async (tx) => {
    const quote = { id, title, credits, createdAt, expiresAt: addMs(createdAt, days * DAY_MS) };
    if (!(await insertQuote(tx, quote))) throw notFound('workspace', tx.scope.workspaceId);
    await auditQuote(tx, 'offerServiceQuote', id, { credits: offer.credits, days });
    return id;
  });
}

function wholeWithin(field: string, value: number, max: number): number {
  if (Number.isSafeInteger(value) && value >= 1 && value <= max) return value;
  throw invalid(field, `must be a whole number from 1 to ${max}`);
}

/**
 * Accepts a quote and debits its credits, exactly once even for concurrent calls.
 *
 * @throws AppError SERVICE_QUOTE_NOT_FOUND (404); SERVICE_QUOTE_CLOSED (409) if it was accepted, declined or
 *   has expired; SUBSCRIPTION_REQUIRED unless paid service is active, INSUFFICIENT_CREDITS (402)
 * @remarks Source: model API, section 2 "Credits", rule 7; requirements M-CRD-15, M-CRD-18
 */
export async function acceptServiceQuote(ctx: Context, id: string): Promise<Wallet> {
  await ctx.transaction(async (tx) => {
    if (!(await acceptQuote(tx, id))) throw await refusalOf(tx, id);
    await auditQuote(tx, 'acceptServiceQuote', id);
    publishWalletChanged(tx, tx.scope.workspaceId);
  });
  ctx.forget();
  return getWallet(ctx);
}

/** Returns the reason why a quote was not accepted, from the current data. */
async function refusalOf(ctx: Context, id: string): Promise<AppError> {
  const refused = await closedRefusal(ctx, id);
  if (refused) return refused;
  const { plan } = await getWallet(ctx);
  return plan === 'PAID'
    ? paymentRequired('INSUFFICIENT_CREDITS', 'The wallet holds too few credits. Add credits first.')
    : paymentRequired('SUBSCRIPTION_REQUIRED', 'Paid service is not active. Activate it first.');
}

async function closedRefusal(ctx: Context, id: string): Promise<AppError | null> {
  const quote = await findQuote(ctx, id);
  if (!quote) return notFound('service quote', id);
  if (quote.status === 'OPEN') return null;
  const { status } = quote;
  return conflict('SERVICE_QUOTE_CLOSED', `The quote is ${status.toLowerCase()}. Ask for a new one.`);
}

/**
 * Declines a quote; has no effect on a declined one.
 *
 * @throws AppError SERVICE_QUOTE_NOT_FOUND (404); SERVICE_QUOTE_CLOSED (409) if it was accepted or has
 *   expired
 */
export async function declineServiceQuote(ctx: Context, id: string): Promise<Wallet> {
  await ctx.transaction(async (tx) => {
    if (await declineQuote(tx, id)) return auditQuote(tx, 'declineServiceQuote', id);
    const refused = await closedRefusal(tx, id);
    if (refused && (await findQuote(tx, id))?.status !== 'DECLINED') throw refused;
  });
  return getWallet(ctx);
}

const auditQuote = (tx: Context, action: string, id: string, after?: Record<string, unknown>) =>
  audit(tx, { action, resourceType: 'ServiceQuote', resourceId: id, ...(after && { after }) });

/**
 * Returns quotes of the workspace, newest first.
 *
 * @throws AppError VALIDATION_FAILED (400) for paging out of bounds
 */
export async function listServiceQuotes(ctx: Context, args: PageArgs): Promise<Page<ServiceQuote>> {
  return quotesPage(ctx, pageRequest(args));
}
