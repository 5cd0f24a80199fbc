import { expect, test } from '@jest/globals';
import { useServices } from '@loyalty/test/harness/services';
import fc from 'fast-check';
import {
  holdOutNumber,
  holdOutNumberSql,
  isHeldOut,
  splitNumber,
  splitNumberSql,
  variantOf,
} from './split.ts';

const { ctx } = useServices();

test('SQL and TypeScript assign every member alike', async () => {
  const pairs = fc.array(fc.tuple(fc.uuid(), fc.uuid()), { minLength: 1, maxLength: 50 });
  await fc.assert(
    fc.asyncProperty(pairs, async (ids) => {
      const rows = await ctx.sql.query<{ split: string; heldOut: string }>(
        `SELECT ${splitNumberSql('p.campaign', 'p.member')}::text AS split,
                ${holdOutNumberSql('p.campaign', 'p.member')}::text AS held_out
           FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS p(campaign, member, place) ORDER BY place`,
        [ids.map(([campaign]) => campaign), ids.map(([, member]) => member)],
      );
      expect(rows).toEqual(
        ids.map(([campaign, member]) => ({
          split: String(splitNumber(campaign, member)),
          heldOut: String(holdOutNumber(campaign, member)),
        })),
      );
    }),
    { numRuns: 20 },
  );
});

test('a split does not change with time or place', () => {
  const [campaign, member] = ['0197a3c9-1c42-7d11-8b7e-3a9c5d1f6e20', '0197a3c2-0000-7000-8000-000000000001'];
  // sha256 of "campaign:member": its first 8 bytes without the last bit.
  expect(splitNumber(campaign, member)).toBe(8_962_215_272_955_014_702n);
});

test('shares are those of the weights, and who is held out is spread evenly over variants', () => {
  const campaign = '0197a3c9-1c42-7d11-8b7e-3a9c5d1f6e20';
  const variants = [
    { key: 'A', weight: 7 },
    { key: 'B', weight: 3 },
  ];
  const members = Array.from(
    { length: 20_000 },
    (_, n) => `0197a3c2-0000-7000-8000-${n.toString(16).padStart(12, '0')}`,
  );
  const ofB = members.filter((member) => variantOf(campaign, member, variants) === 'B');
  const heldOut = members.filter((member) => isHeldOut(campaign, member, 10));
  const both = heldOut.filter((member) => ofB.includes(member));
  // Within five standard deviations.
  const near = (count: number, of: number, share: number) =>
    expect(Math.abs(count - of * share)).toBeLessThan(5 * Math.sqrt(of * share * (1 - share)));
  near(ofB.length, members.length, 0.3);
  near(heldOut.length, members.length, 0.1);
  near(both.length, heldOut.length, 0.3);
});
