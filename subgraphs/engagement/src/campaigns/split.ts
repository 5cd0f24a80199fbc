import { createHash } from 'node:crypto';

/** A variant and its share of the audience, in proportion to the other weights. */
export interface Weighted {
  readonly key: string;
  readonly weight: number;
}

/** Percentages are parts of this number. */
const HUNDRED = 100n;

/**
 * The number that assigns a member of the audience to a variant: the first 8 bytes of SHA-256 of `campaign id
 * : member id` without the last bit, so that it fits into a signed 64-bit integer. The result is
 * deterministic.
 */
export const splitNumber = (campaignId: string, memberId: string): bigint =>
  numberOf(`${campaignId}:${memberId}`);

/**
 * A number of `campaign id : hold-out : member id`. It is independent of `splitNumber`, so that the hold-out
 * does not depend on the variant.
 */
export const holdOutNumber = (campaignId: string, memberId: string): bigint =>
  numberOf(`${campaignId}:hold-out:${memberId}`);

const numberOf = (text: string): bigint =>
  createHash('sha256').update(text).digest().readBigUInt64BE(0) >> 1n;

/** Returns the variant of a member: the number modulo the sum of the weights, in the order of variants. */
export function variantOf(campaignId: string, memberId: string, variants: readonly Weighted[]): string {
  const { keys, upTo, total } = sharesOf(variants);
  const place = Number(splitNumber(campaignId, memberId) % BigInt(total));
  return keys[upTo.findIndex((end) => place < end)]!;
}

/** Whether the member is held out and receives no message. */
export const isHeldOut = (campaignId: string, memberId: string, percent: number): boolean =>
  holdOutNumber(campaignId, memberId) % HUNDRED < BigInt(percent);

/** Returns the keys of variants, and the end of the share of each. */
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
