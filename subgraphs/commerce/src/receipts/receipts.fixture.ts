import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Caller, systemCaller } from '@loyalty/platform/base/caller';
import type { Context } from '@loyalty/platform/context';
import { ask as askSubgraph } from '@loyalty/test/harness/ask';
import { askPeer } from '@loyalty/test/harness/peers';
import { callerOf, contextOf, type TestServices } from '@loyalty/test/harness/services';
import { createCanvas, GlobalFonts } from '@napi-rs/canvas';
import { given } from '../commerce.fixture.ts';
import { commerce } from '../subgraph.ts';
import { readReceiptJob } from './receipts.jobs.ts';

const fonts = dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json'));
GlobalFonts.registerFromPath(join(fonts, 'ttf', 'DejaVuSansMono.ttf'), 'Till');

const LINE_HEIGHT = 34;

/** Draws a receipt with the given lines and returns it as base64. */
export function drawReceipt(lines: readonly string[], type: 'png' | 'jpeg' | 'webp' = 'png'): string {
  const canvas = createCanvas(560, 60 + lines.length * LINE_HEIGHT);
  const paper = canvas.getContext('2d');
  paper.fillStyle = '#fff';
  paper.fillRect(0, 0, canvas.width, canvas.height);
  paper.fillStyle = '#000';
  paper.font = '24px Till';
  for (const [place, line] of lines.entries()) paper.fillText(line, 20, 50 + place * LINE_HEIGHT);
  return canvas.toBuffer(`image/${type}` as 'image/png').toString('base64');
}

/** The lines of a receipt for two coffees and a cake. */
export const receiptLines = (
  change: { shop?: string; day?: string; total?: string; footer?: string } = {},
): string[] => [
  change.shop ?? 'CORNER SHOP',
  'Rua Augusta 12, Lisboa',
  `${change.day ?? '2026-03-01'} 18:24`,
  'Espresso   2 x 1.20  2.40',
  'Pastel de nata       4.20',
  'SUBTOTAL             6.60',
  'VAT 23%              1.23',
  `TOTAL EUR           ${change.total ?? '6.60'}`,
  `CARD                ${change.total ?? '6.60'}`,
  change.footer ?? 'Thank you',
];

let people = 0;

/** Enrols a member and returns its id. */
export async function enrol(ctx: Context): Promise<string> {
  people += 1;
  const answer = await askPeer(
    ctx,
    'loyalty',
    'mutation ($input: CreateMemberInput!) { createMember(input: $input) { id } }',
    { input: { email: `r${people}@example.com` } },
  );
  return (answer['createMember'] as { id: string }).id;
}

const FIELDS = `id status ocrStatus merchant currency totalMinor purchasedOn confidence doubts pointsAwarded
  items { name quantity amountMinor } duplicateOf { id } member { id } store { id }`;
export const SUBMIT = `mutation ($input: SubmitReceiptInput!) { submitReceipt(input: $input) { ${FIELDS} } }`;
export const REVIEW = `mutation ($id: ID!, $decision: ReceiptDecision!, $points: Int, $reason: String) {
  reviewReceipt(id: $id, decision: $decision, points: $points, reason: $reason) { ${FIELDS} reason decidedAt }
}`;
const SETTINGS = `mutation ($input: ReceiptSettingsInput!) {
  setReceiptSettings(input: $input) { autoApprove minConfidence } }`;

/** A new workspace with one member, and functions that submit and review receipts. */
export async function receiptHelpers(services: TestServices) {
  const caller = callerOf();
  const at = (who: Caller = caller): Context => contextOf(services, who);
  const product = () => at(systemCaller('test', { workspaceId: caller.workspaceId!, mode: caller.mode }));
  const memberId = await enrol(at());
  const ask = (query: string, variables?: Record<string, unknown>, who = caller) =>
    askSubgraph(commerce, at(who), query, variables);
  const submit = (image: string, more: object = {}) => ask(SUBMIT, { input: { memberId, image, ...more } });
  const receiptOf = async (id: string) =>
    (await ask(`query ($id: ID!) { receipt(id: $id) { ${FIELDS} } }`, { id })).data.receipt;
  return {
    caller,
    memberId,
    at,
    product,
    ask,
    submit,
    receiptOf,
    review: (id: string, decision: string, more: object = {}) => ask(REVIEW, { id, decision, ...more }),
    /** Points for each major unit of a receipt. */
    rate: (points: number) => given.rate(at(), points),
    imageOf: async (id: string) =>
      (await ask('query ($id: ID!) { receiptImage(id: $id) }', { id })).data.receiptImage,
    autoApprove: (minConfidence: number) => ask(SETTINGS, { input: { autoApprove: true, minConfidence } }),
    /** Submits a receipt and reads it. */
    async readIn(lines: readonly string[], more: object = {}) {
      const { data, message } = await submit(drawReceipt(lines), more);
      if (message) throw new Error(message);
      const { id } = data.submitReceipt;
      await readReceiptJob.run(product(), { receiptId: id });
      return receiptOf(id);
    },
    /** Payloads of the outbox, oldest first. */
    async publishedEvents(type: string) {
      const rows = await at().sql.query<{ payload: Record<string, unknown> }>(
        'SELECT payload FROM platform.outbox WHERE workspace_id = $1 AND type = $2 ORDER BY id',
        [caller.workspaceId, type],
      );
      return rows.map(({ payload }) => payload);
    },
  };
}

export type ReceiptDesk = Awaited<ReturnType<typeof receiptHelpers>>;
