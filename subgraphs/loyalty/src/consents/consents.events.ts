import { event } from '@loyalty/platform/work/events';
import { z } from 'zod';

/** The purposes of a member's consent, in display order. */
export const consentPurposes = ['PRECISE_LOCATION', 'EMAIL_MARKETING', 'PROFILING'] as const;

export type ConsentPurpose = (typeof consentPurposes)[number];

/** A member granted or withdrew consent to a purpose. */
export const memberConsentChanged = event(
  'member.consent_changed',
  z.object({ memberId: z.uuid(), purpose: z.enum(consentPurposes), granted: z.boolean() }),
  {
    webhook: {
      stage: 'engagement',
      resource: 'memberId',
      label: 'Consent changed',
      description: 'A member granted or withdrew a consent.',
    },
    activity: 'CONSENT_CHANGED',
    changes: ['MEMBER', 'CONSENTS'],
  },
);

/** A member withdrew consent to mail: nothing may be sent to the address of this blind index. */
export const emailConsentWithdrawn = event(
  'loyalty.email_consent_withdrawn',
  z.object({ emailIndex: z.string() }),
);
