/** What a member may consent to, in the order in which it is shown. */
export const consentPurposes = ['PRECISE_LOCATION', 'EMAIL_MARKETING', 'PROFILING'] as const;

export type ConsentPurpose = (typeof consentPurposes)[number];
