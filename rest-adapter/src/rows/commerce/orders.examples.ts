import { type Example, memberId, storeId } from '../example.ts';

const order = {
  id: '0197a3c4-1d20-7f31-8a42-6b5c4d3e2f10',
  external_order_id: '10042',
  member_id: memberId,
  store_id: storeId,
  status: 'paid',
  currency: 'EUR',
  total: 4500,
  refunded_total: 0,
  items: [
    {
      product_id: null,
      external_product_id: 'mug-blue',
      sku: 'MUG-BL-01',
      name: 'Blue mug',
      quantity: 3,
      unit_price: 1500,
    },
  ],
  occurred_at: '2026-05-12T10:00:00.000Z',
  created_at: '2026-05-12T10:00:01.000Z',
  points_awarded: 45,
};

const sent = {
  externalOrderId: '10042',
  memberId,
  storeId,
  occurredAt: '2026-05-12T10:00:00.000Z',
  currency: 'EUR',
  total: 4500,
  items: [
    { externalProductId: 'mug-blue', sku: 'MUG-BL-01', name: 'Blue mug', quantity: 3, unitPrice: 1500 },
  ],
};

export const ordersExamples: Readonly<Record<string, Example>> = {
  ListOrders: {
    about:
      'Orders, newest first by the time when they were placed. Amounts are whole minor units such as cents.',
    reply: { orders: [order], total: 1 },
  },
  CreateOrder: {
    about:
      'Records an order. The same order sent again is answered as it is now; another one with its id is 409.',
    body: sent,
    reply: { data: order },
  },
  CreateOrders: {
    about: 'Records 1 to 100 orders, one by one. The status is 207 when any was refused.',
    body: { orders: [sent, { ...sent, externalOrderId: '10043', total: -1 }] },
    reply: {
      total: 2,
      succeeded: 1,
      failed: 1,
      results: [
        { index: 0, ok: true, id: order.id, created: true, error: null },
        {
          index: 1,
          ok: false,
          id: null,
          created: null,
          error: 'total must be between 0 and 1000000000000000 minor units, such as cents.',
        },
      ],
    },
  },
  RefundOrder: {
    about:
      'Refunds a part of an order, or all that is left of it, and takes back the same share of its points.',
    body: { amount: 1500, refundId: 'r-77', reason: 'One mug was broken' },
    reply: {
      data: {
        order: { ...order, status: 'partially_refunded', refunded_total: 1500 },
        refund: {
          id: '0197a3c5-2e31-7a42-9b53-7c6d5e4f3a21',
          amount: 1500,
          created_at: '2026-05-14T09:00:00.000Z',
        },
        pointsReversed: 15,
      },
    },
  },
};
