import { screenDocument } from '../../harness/screen-document.ts';
import type { MixWorkspace } from './workspaces.ts';

/** A request, and the status that is expected for it. */
export interface MixRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly credential: string;
  readonly body?: object;
  readonly status: number;
  /** Keeps the part of the answer that later requests need. */
  readonly remember?: (body: never) => void;
}

/** Makes random choices; equal seeds give equal choices. */
export interface Draw {
  below(size: number): number;
  of<Item>(items: readonly Item[]): Item;
}

const memberPage = screenDocument('Member');
const memberList = screenDocument('Members');
const everything = {
  ...{ canSeeOrders: true, canSeeReceipts: false, canSeeSegments: false },
  ...{ canSeeActivity: true, canSeeActors: false },
  ...{ canSeeState: true, canSeePredictions: true },
};
const IMPORTED = 2_000;
const TRACKED = 10;
const SIZES = ['S', 'M', 'L'] as const;

/** Shares in percent. Tracking requests are sent in addition. */
export const shares = {
  'member read': 40,
  list: 15,
  award: 15,
  coupon: 5,
  order: 5,
  'filtered records': 5,
  capability: 5,
  attribute: 5,
  import: 2,
  'bad request': 3,
  tracking: 2,
} as const;
export type MixClass = keyof typeof shares;
export const classes = Object.keys(shares) as MixClass[];

interface Kept {
  /** Members who have points. */
  readonly awarded: string[];
  readonly issued: string[];
  readonly ordered: string[];
  cursor: string | null;
}

/** Makes requests of a class. Half of them are for the first workspace. */
export function requestMaker(
  workspaces: readonly MixWorkspace[],
  draw: Draw,
): (kind: MixClass) => MixRequest {
  const kept = workspaces.map((): Kept => ({ awarded: [], issued: [], ordered: [], cursor: null }));
  let made = 0;
  return (kind) => {
    made += 1;
    const at = draw.below(2) === 0 ? 0 : draw.below(workspaces.length);
    return makers[kind](workspaces[at]!, kept[at]!, draw, made);
  };
}

type Maker = (workspace: MixWorkspace, kept: Kept, draw: Draw, number: number) => MixRequest;

const makers: Readonly<Record<MixClass, Maker>> = {
  'member read': ({ secret, token, memberIds }, _, draw) => {
    const id = draw.of(memberIds);
    return draw.below(2) === 0
      ? { method: 'GET', path: `/api/v2/members/${id}`, credential: secret, status: 200 }
      : graph(token, 'Member', memberPage, { id, ...everything });
  },
  list({ token }, kept) {
    const variables = { first: 50, after: kept.cursor };
    const remember = (body: { data: { members: { pageInfo: { endCursor: string | null } } } }) => {
      kept.cursor = body.data.members.pageInfo.endCursor;
    };
    return { ...graph(token, 'Members', memberList, variables), remember };
  },
  award: awardPoints,
  coupon(workspace, kept, draw, number) {
    const { secret, poolId } = workspace;
    const coupon = kept.issued.pop();
    if (coupon) {
      const path = `/api/v2/coupons/${coupon}/redeem`;
      return { method: 'POST', path, credential: secret, body: {}, status: 200 };
    }
    const member = kept.awarded.pop();
    if (!member) return awardPoints(workspace, kept, draw, number);
    return {
      method: 'POST',
      path: `/api/v2/members/${member}/redeem-coupon`,
      credential: secret,
      body: { pool_id: poolId, points_cost: 1 },
      status: 200,
      remember: (body: { coupon: { id: string } }) => void kept.issued.push(body.coupon.id),
    };
  },
  order({ secret, memberIds }, kept, draw, number) {
    const ordered = draw.below(4) === 0 ? kept.ordered.pop() : undefined;
    const credential = secret;
    if (ordered) {
      const path = `/api/v2/orders/${ordered}/refund`;
      return { method: 'POST', path, credential, body: { amount: 500 }, status: 200 };
    }
    const externalOrderId = `mix-${process.pid}-${number}`;
    const body = {
      externalOrderId,
      memberId: draw.of(memberIds),
      occurredAt: new Date().toISOString(),
      currency: 'EUR',
      total: 1_000 + draw.below(9_000),
      items: [{ externalProductId: 'mug-blue', name: 'Blue mug', quantity: 1, unitPrice: 1_000 }],
    };
    const remember = () => void kept.ordered.push(externalOrderId);
    return { method: 'POST', path: '/api/v2/orders', credential, body, status: 201, remember };
  },
  'filtered records': ({ secret }) => ({
    method: 'GET',
    path: '/api/v2/objects/tickets/records?f_status=open&limit=50',
    credential: secret,
    status: 200,
  }),
  capability: ({ secret, memberIds }, _, draw) => ({
    method: 'POST',
    path: '/api/v1/capabilities',
    credential: secret,
    body: { name: 'model_predict_purchase', arguments: { member_id: draw.of(memberIds) } },
    status: 200,
  }),
  attribute: ({ secret, memberIds }, _, draw) => ({
    method: 'PATCH',
    path: `/api/v2/members/${draw.of(memberIds)}`,
    credential: secret,
    body: { customAttributes: { shirt_size: draw.of(SIZES) } },
    status: 200,
  }),
  import({ secret }, _, __, number) {
    const lines = Array.from({ length: IMPORTED }, (___, row) => {
      const id = `${process.pid}-${number}-${row}`;
      return `mix-${id},mix-${id}@example.com,Name ${row}`;
    });
    const content = `external_id,email,name\n${lines.join('\n')}\n`;
    const body = { format: 'csv', content };
    return { method: 'POST', path: '/api/v2/members/import', credential: secret, body, status: 202 };
  },
  'bad request': ({ secret, memberIds }, _, draw) =>
    draw.of([
      {
        method: 'POST',
        path: `/api/v2/members/${draw.of(memberIds)}/points`,
        credential: secret,
        body: { amount: 'many' },
        status: 400,
      },
      {
        method: 'GET',
        path: '/api/v2/members/0197a3c4-1d20-7f31-8a42-6b5c4d3e2f10',
        credential: secret,
        status: 404,
      },
      { method: 'GET', path: '/api/v2/members', credential: 'no-key', status: 401 },
    ] as const),
  tracking({ secret, memberIds }, _, draw, number) {
    const events = Array.from({ length: TRACKED }, (__, index) => ({
      id: `mix-${process.pid}-${number}-${index}`,
      event: index === 0 ? 'view' : 'page_view',
      ...(index === 0 ? { memberId: draw.of(memberIds) } : { anonymousId: `visitor-${draw.below(1_000)}` }),
      occurredAt: new Date().toISOString(),
      properties: { path: '/catalog/tea', itemId: `tea-${draw.below(300)}` },
    }));
    return {
      method: 'POST',
      path: '/api/v2/tracking/events',
      credential: secret,
      body: { events },
      status: 202,
    };
  },
};

function awardPoints(
  { secret, memberIds }: MixWorkspace,
  kept: Kept,
  draw: Draw,
  number: number,
): MixRequest {
  const id = draw.of(memberIds);
  return {
    method: 'POST',
    path: `/api/v2/members/${id}/points`,
    credential: secret,
    body: { amount: 1 + draw.below(50), description: `mix ${number}` },
    status: 200,
    remember: () => void kept.awarded.push(id),
  };
}

const graph = (credential: string, operationName: string, query: string, variables: object): MixRequest => ({
  method: 'POST',
  path: '/graphql',
  credential,
  body: { operationName, query, variables },
  status: 200,
});
