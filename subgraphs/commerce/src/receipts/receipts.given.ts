import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Context } from '@loyalty/platform/context';
import { createCanvas, GlobalFonts } from '@napi-rs/canvas';

const fonts = dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json'));
GlobalFonts.registerFromPath(join(fonts, 'ttf', 'DejaVuSansMono.ttf'), 'Till');

const LINE_HEIGHT = 34;

/** A picture of a till's paper with the given lines, as base64. */
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

/** What a shop prints for two coffees and a cake. */
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

/** Another member of the loyalty subgraph. */
export async function enrol(ctx: Context): Promise<string> {
  people += 1;
  const answer = await ctx.services.peers.ask(ctx, 'loyalty', {
    query: 'mutation ($input: CreateMemberInput!) { createMember(input: $input) { id } }',
    variables: { input: { email: `r${people}@example.com` } },
  });
  return (answer['createMember'] as { id: string }).id;
}
