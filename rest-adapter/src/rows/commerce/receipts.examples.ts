import { captureId, type Example, memberId, storeId } from '../example.ts';

export const receiptsExamples: Readonly<Record<string, Example>> = {
  MemberReceipts: {
    about: "A member's receipts, newest first.",
    reply: {
      memberId,
      receipts: [
        {
          id: '0197a3c4-1e22-7c32-9a41-6e7f8a9b0c12',
          ocr_status: 'succeeded',
          status: 'approved',
          points_awarded: 12,
          created_at: '2026-03-02T09:30:00.000Z',
        },
      ],
    },
  },
};

export const capturesExamples: Readonly<Record<string, Example>> = {
  ListCaptures: {
    reply: {
      captures: [
        {
          id: captureId,
          email: 'maria.silva@example.com',
          store_id: storeId,
          type: 'store',
          created_at: '2026-05-12T10:00:00.000Z',
        },
      ],
      total: 1,
    },
  },
};
