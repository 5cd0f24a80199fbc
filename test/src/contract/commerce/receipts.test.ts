import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { drawReceipt, receiptLines } from '@loyalty/commerce-subgraph/receipts/receipts.fixture';
import { systemClock } from '@loyalty/platform/base/clock';
import { newId } from '@loyalty/platform/base/ids';
import { eventually } from '../../harness/eventually.ts';
import { useStack } from '../../harness/stack.ts';
import { enrol } from '../members/members.fixture.ts';
import { expectError, shapes } from '../shapes.ts';

const stack = useStack();
let token: string;
let key: string;
let memberId: string;

beforeAll(async () => {
  ({ token } = await stack.signUp());
  await stack.enable(token, 'receipts');
  key = (await stack.key(token)).secret;
  await stack.graph(
    'mutation { createEarningRule(input: {kind: BASE, name: "One a euro", rate: 1}) { id } }',
    {},
    token,
  );
  await stack.work();
});
beforeEach(async () => {
  memberId = (await enrol(stack, key)).id;
});

const SUBMIT = 'mutation ($input: SubmitReceiptInput!) { submitReceipt(input: $input) { id status } }';
const REVIEW = `mutation ($id: ID!, $points: Int) {
  reviewReceipt(id: $id, decision: APPROVE, points: $points) { status pointsAwarded } }`;
const today = new Date().toISOString().slice(0, 10);

interface Submitted {
  readonly submitReceipt: { readonly id: string; readonly status: string };
}

async function submit(image: string): Promise<string> {
  const { data, errors } = await stack.graph<Submitted>(SUBMIT, { input: { memberId, image } }, key);
  if (errors) throw new Error(JSON.stringify(errors));
  return data.submitReceipt.id;
}
const receipts = (id = memberId, query = '') =>
  stack.rest('GET', `/api/v2/members/${id}/receipts${query}`, { as: key });

const receipt = {
  id: shapes.uuid,
  ocr_status: 'pending',
  status: 'submitted',
  points_awarded: null,
  created_at: shapes.instant,
};

describe('GET /members/{id}/receipts', () => {
  test('answers none for a new member, 404 for an unknown one', async () => {
    expect((await receipts()).body).toEqual({ memberId, receipts: [] });
    const unknown = newId(systemClock);
    expectError(await receipts(unknown), 404, 'MEMBER_NOT_FOUND', unknown);
  });

  test('follows a receipt from the picture to the points, each booked once', async () => {
    const lines = receiptLines({ day: today, shop: `SHOP OF LIFE` });
    const id = await submit(drawReceipt(lines));
    await eventually(async () => {
      expect((await receipts()).body).toEqual({
        memberId,
        receipts: [{ ...receipt, id, ocr_status: 'succeeded', status: 'in_review' }],
      });
    });
    const { data } = await stack.graph(REVIEW, { id }, token);
    expect(data).toEqual({ reviewReceipt: { status: 'APPROVED', pointsAwarded: 6 } });
    expect((await receipts()).body.receipts).toMatchObject([{ status: 'approved', points_awarded: 6 }]);
    await eventually(async () => {
      const { body } = await stack.rest('GET', `/api/v2/members/${memberId}/points`, { as: key });
      expect(body).toMatchObject({ balance: 6, transactions: [{ amount: 6 }] });
    });
    const again = await stack.graph(REVIEW, { id, points: 9 }, token);
    expect(again.errors?.[0]?.extensions).toMatchObject({ code: 'CONFLICT', reason: 'RECEIPT_DECIDED' });
  });

  test('answers newest first, ten by default, at most 200', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 11; n += 1) ids.unshift(await submit(drawReceipt([`picture ${n} ${memberId}`])));
    const { body } = await receipts();
    expect(body.receipts.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 10));
    expect((await receipts(memberId, '?limit=11')).body.receipts).toHaveLength(11);
    for (const limit of ['0', '201', 'x'])
      expectError(await receipts(memberId, `?limit=${limit}`), 400, 'VALIDATION_FAILED', /^limit must/);
  });

  test('is 403 while the module is off', async () => {
    const other = await stack.signUp();
    const secret = (await stack.key(other.token)).secret;
    const member = await enrol(stack, secret);
    const reply = await stack.rest('GET', `/api/v2/members/${member.id}/receipts`, { as: secret });
    expectError(reply, 403, 'MODULE_DISABLED', /receipts/);
  });
});

describe('the size of a request', () => {
  /** A valid picture of about a megabyte; bytes after the end of the image are ignored. */
  const large = () => {
    const picture = Buffer.from(drawReceipt([`large ${memberId}`], 'jpeg'), 'base64');
    return Buffer.concat([picture, Buffer.alloc(1_000_000, 7)]).toString('base64');
  };
  const post = async (body: object, credential: string | null = key) => {
    const headers: Record<string, string> = { 'content-type': 'application/json' };
    if (credential) headers['authorization'] = `Bearer ${credential}`;
    const response = await fetch(`${stack.url}/graphql`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    const { errors } = (await response.json()) as { errors?: { extensions: { reason: string } }[] };
    return [response.status, errors?.[0]?.extensions.reason ?? null];
  };

  test('may be large for an operation that takes bytes', async () => {
    expect(await post({ query: SUBMIT, variables: { input: { memberId, image: large() } } })).toEqual([
      200,
      null,
    ]);
  });

  test('may be five MiB of image; more is refused with a message about the image', async () => {
    const whole = Buffer.from(drawReceipt([`whole ${memberId}`], 'jpeg'), 'base64');
    const image = Buffer.concat([whole, Buffer.alloc(5 * 1024 * 1024 - whole.length, 7)]);
    const variables = (bytes: Buffer) => ({ input: { memberId, image: bytes.toString('base64') } });
    expect(await post({ query: SUBMIT, variables: variables(image) })).toEqual([200, null]);
    const more = Buffer.concat([image, Buffer.alloc(4)]);
    expect(await post({ query: SUBMIT, variables: variables(more) })).toEqual([200, 'UPLOAD_TOO_LARGE']);
  });

  test('is limited as usual for other operations, for a long query text and for unknown callers', async () => {
    const tooLarge = [413, 'BODY_TOO_LARGE'];
    const variables = { input: { memberId, image: large() } };
    expect(await post({ query: '{ receipts { totalCount } }', variables })).toEqual(tooLarge);
    expect(await post({ query: `${SUBMIT} #${'x'.repeat(300_000)}`, variables: {} })).toEqual(tooLarge);
    expect(await post({ query: SUBMIT, variables }, null)).toEqual(tooLarge);
    const huge = { input: { memberId, image: 'A'.repeat(8_000_000) } };
    expect(await post({ query: SUBMIT, variables: huge })).toEqual(tooLarge);
  });

  test('is limited as usual for chunks of unknown length', async () => {
    const send = async (variables: object) => {
      const text = JSON.stringify({ query: SUBMIT, variables });
      const response = await fetch(`${stack.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
        body: new Blob([text]).stream(),
        duplex: 'half',
      } as RequestInit);
      return response.status;
    };
    expect(await send({ input: { memberId, image: drawReceipt([`chunks ${memberId}`]) } })).toBe(200);
    expect(await send({ input: { memberId, image: 'A'.repeat(270_000) } })).toBe(413);
  });
});
