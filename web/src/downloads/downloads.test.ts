import { beforeEach, expect, test } from '@jest/globals';
import { imageLinks } from '@loyalty/commerce-subgraph/receipts/receipt-image';
import { deleteMemberImages, keepImage } from '@loyalty/commerce-subgraph/receipts/receipt-images.service';
import { drawReceipt, receiptLines } from '@loyalty/commerce-subgraph/receipts/receipts.fixture';
import { eraseReceiptsJob } from '@loyalty/commerce-subgraph/receipts/receipts.jobs';
import { systemCaller } from '@loyalty/platform/base/caller';
import { MINUTE_MS } from '@loyalty/platform/base/clock';
import type { Context } from '@loyalty/platform/context';
import { exportLinks } from '@loyalty/platform/exports/exports.service';
import { type LinkKind, signedUrl } from '@loyalty/platform/identity/signed-links';
import { callerOf, contextOf } from '@loyalty/test/harness/services';
import { useStack } from '@loyalty/test/harness/stack';

const stack = useStack();

let token: string;
let ctx: Context;
let memberId: string;
beforeEach(async () => {
  const signedUp = await stack.signUp();
  token = signedUp.token;
  await stack.enable(token, 'receipts');
  ctx = contextOf(stack.services, callerOf({ workspaceId: signedUp.workspaceId }));
  const input = { email: 'r@example.com' };
  const query = 'mutation ($input: CreateMemberInput!) { made: createMember(input: $input) { id } }';
  memberId = (await stack.graph<{ made: { id: string } }>(query, { input }, token)).data.made.id;
});

/** The id of a receipt with this picture. */
async function submitted(image = drawReceipt(receiptLines())): Promise<string> {
  const query = 'mutation ($input: SubmitReceiptInput!) { made: submitReceipt(input: $input) { id } }';
  const answer = await stack.graph<{ made: { id: string } }>(query, { input: { memberId, image } }, token);
  expect(answer.errors).toBeUndefined();
  return answer.data.made.id;
}

/** The path of the link to a picture; null where there is none. */
async function pathOf(id: string, as = token): Promise<string | null> {
  const query = 'query ($id: ID!) { receipt(id: $id) { imageUrl } }';
  const { data } = await stack.graph<{ receipt: { imageUrl: string | null } | null }>(query, { id }, as);
  const url = data.receipt?.imageUrl;
  return url ? new URL(url).pathname : null;
}

const statusOf = async (path: string) => (await fetch(`${stack.url}${path}`)).status;

test.each(['png', 'jpeg', 'webp'] as const)(
  'a link shows a %s that nobody keeps, frames or runs',
  async (type) => {
    const image = drawReceipt(receiptLines(), type);
    const answer = await fetch(`${stack.url}${await pathOf(await submitted(image))}`);
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': `image/${type}`,
      'content-disposition': 'inline',
      'content-length': String(Buffer.from(image, 'base64').length),
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(answer.headers.get('set-cookie')).toBeNull();
    expect(Buffer.from(await answer.arrayBuffer()).toString('base64')).toBe(image);
  },
);

test('what is no image of a known type is saved and not shown', async () => {
  const id = await submitted();
  await deleteMemberImages(ctx, memberId);
  await keepImage(ctx, { id, memberId }, Buffer.from('<script>alert(1)</script>'));
  const answer = await fetch(`${stack.url}${await pathOf(id)}`);
  expect(answer.headers.get('content-type')).toBe('application/octet-stream');
  expect(answer.headers.get('content-disposition')).toBe('attachment');
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
});

test('a link ends after a quarter of an hour', async () => {
  const path = (await pathOf(await submitted()))!;
  const before = stack.services.clock.now();
  try {
    stack.services.clock.advance(15 * MINUTE_MS - 1_000);
    expect(await statusOf(path)).toBe(200);
    stack.services.clock.advance(2_000);
    expect(await statusOf(path)).toBe(404);
  } finally {
    stack.services.clock.set(before);
  }
});

test('a link that was changed, also to another receipt, leads nowhere', async () => {
  const [one, two] = [await submitted(), await submitted(drawReceipt(receiptLines({ day: '2026-02-01' })))];
  const [path, other] = [(await pathOf(one))!, (await pathOf(two))!];
  const [, folder, token] = path.split('/') as [string, string, string];
  const code = token.slice(-43);
  const changed = [
    `${path.slice(0, -2)}${path.at(-2) === 'A' ? 'B' : 'A'}${path.at(-1)}`,
    `${other.slice(0, -43)}${code}`,
    `/${folder}/${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`,
    `${path}A`,
    `/${folder}/x`,
  ];
  expect(await Promise.all(changed.map(statusOf))).toEqual(changed.map(() => 404));
  expect([await statusOf(path), await statusOf(other)]).toEqual([200, 200]);
});

test('a link names its workspace and mode, and its kind of file', async () => {
  const id = await submitted();
  const linkOf = async (of: Context, kind: LinkKind) => new URL(await signedUrl(of, kind, id)).pathname;
  const foreign = contextOf(stack.services, callerOf());
  const sandbox = contextOf(stack.services, callerOf({ ...ctx.scope, mode: 'TEST' }));
  expect(await statusOf(await linkOf(ctx, imageLinks))).toBe(200);
  expect(await statusOf(await linkOf(foreign, imageLinks))).toBe(404);
  expect(await statusOf(await linkOf(sandbox, imageLinks))).toBe(404);
  const ofExport = await linkOf(ctx, exportLinks);
  expect(await statusOf(ofExport.replace('downloads', 'receipt-images'))).toBe(404);
});

test('nobody of another workspace, and no key that only reads receipts, gets a link', async () => {
  const id = await submitted();
  const other = await stack.signUp();
  await stack.enable(other.token, 'receipts');
  expect(await pathOf(id, other.token)).toBeNull();
  const { secret } = await stack.key(token, ['receipts:read']);
  const query = 'query ($id: ID!) { receipt(id: $id) { id imageUrl } }';
  const { errors } = await stack.graph(query, { id }, secret);
  expect(errors?.[0]?.extensions).toMatchObject({ code: 'FORBIDDEN', reason: 'SCOPE_MISSING' });
});

test('of a member who was erased an old link leads nowhere, and there is no new one', async () => {
  const id = await submitted();
  const path = (await pathOf(id))!;
  expect(await statusOf(path)).toBe(200);
  const product = contextOf(stack.services, systemCaller('test', ctx.scope));
  await eraseReceiptsJob.run(product, { memberId });
  expect(await statusOf(path)).toBe(404);
  expect(await pathOf(id)).toBeNull();
});
