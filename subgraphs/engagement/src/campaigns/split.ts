import { createHash } from 'node:crypto';

/** A variant and its share of the audience, in proportion to the other weights. */
export interface Weighted {
  readonly key: string;
  readonly weight: number;
}

/** Percent are counted of this many. */
const HUNDRED = 100n;

/**
 * The number by which a member of a campaign's audience is assigned: the first 8 bytes of SHA-256 of
 * `campaign id : member id` without the last bit, so that it fits a signed integer of 64 bits. It is the same
 * whenever and wherever it is computed.
 */
export const splitNumber = (campaignId: string, memberId: string): bigint =>
  numberOf(`${campaignId}:${memberId}`);

/**
 * Another number, of `campaign id : hold-out : member id`: so who is held out does not depend on the
 * variant.
 */
export const holdOutNumber = (campaignId: string, memberId: string): bigint =>
  numberOf(`${campaignId}:hold-out:${memberId}`);

const numberOf = (text: string): bigint =>
  createHash('sha256').update(text).digest().readBigUInt64BE(0) >> 1n;

/**
 * The variant that a member is assigned: the number modulo the sum of the weights, in the order of variants.
 */
export function variantOf(campaignId: string, memberId: string, variants: readonly Weighted[]): string {
  const { keys, upTo, total } = sharesOf(variants);
  const place = Number(splitNumber(campaignId, memberId) % BigInt(total));
  return keys[upTo.findIndex((end) => place < end)]!;
}

/** Is the member one of those who get nothing? */
export const isHeldOut = (campaignId: string, memberId: string, percent: number): boolean =>
  holdOutNumber(campaignId, memberId) % HUNDRED < BigInt(percent);

/** Keys, and where the share of each ends. */
export function sharesOf(variants: readonly Weighted[]) {
  let total = 0;
  const upTo = variants.map(({ weight }) => {
    total += weight;
    return total;
  });
  return { keys: variants.map(({ key }) => key), upTo, total };
}

/** `splitNumber` as SQL. */
export const splitNumberSql = (campaignId: string, memberId: string): string =>
  numberSql(`${campaignId}::text || ':' || ${memberId}::text`);

/** `holdOutNumber` as SQL. */
export const holdOutNumberSql = (campaignId: string, memberId: string): string =>
  numberSql(`${campaignId}::text || ':hold-out:' || ${memberId}::text`);

const numberSql = (text: string): string =>
  `(('x' || encode(substring(sha256(convert_to(${text}, 'UTF8')) FOR 8), 'hex'))::bit(64) >> 1)::bigint`;
