import { event } from '@loyalty/platform/outbox/events';
import { z } from 'zod';

/** A member became an ambassador. */
export const codeIssued = event(
  'ambassador.code_issued',
  z.object({ memberId: z.uuid(), codeId: z.uuid() }),
  {
    webhook: {
      stage: 'advocacy',
      resource: 'codeId',
      label: 'Ambassador code issued',
      description: 'A member became an ambassador.',
    },
    activity: 'AMBASSADOR_CODE_ISSUED',
    changes: [],
  },
);
