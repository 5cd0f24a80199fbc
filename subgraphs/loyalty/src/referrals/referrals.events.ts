import { event } from '@loyalty/platform/work/events';
import { z } from 'zod';

/** A member joined by an ambassador's code; published once per member. */
export const referralEnrolled = event(
  'ambassador.referral_enrolled',
  z.object({ memberId: z.uuid(), ambassadorId: z.uuid(), codeId: z.uuid() }),
  {
    webhook: {
      stage: 'advocacy',
      resource: 'memberId',
      label: 'Referral enrolled',
      description: "A member joined by an ambassador's code.",
    },
    activity: 'REFERRAL_ENROLLED',
    changes: [],
  },
);

/** A referred member ordered; published once per order. */
export const referralPurchased = event(
  'ambassador.referral_purchased',
  z.object({ memberId: z.uuid(), ambassadorId: z.uuid(), orderId: z.uuid() }),
  {
    webhook: {
      stage: 'advocacy',
      resource: 'orderId',
      label: 'Referral purchased',
      description: 'A member who joined by a code ordered.',
    },
    activity: 'REFERRAL_PURCHASED',
    changes: [],
  },
);

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
