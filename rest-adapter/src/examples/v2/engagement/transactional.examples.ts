import type { Example } from '../../example.ts';
import { memberId, messageId, templateId } from '../../ids.ts';

export const transactionalExamples: Readonly<Record<string, Example>> = {
  SendTransactional: {
    body: {
      template_id: templateId,
      member_id: memberId,
      data: { order_number: '1001' },
      idempotency_key: 'order-1001-shipped',
    },
    reply: { data: { id: messageId, status: 'queued', reused: false } },
  },
};
