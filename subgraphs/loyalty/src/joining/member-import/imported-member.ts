import type { MemberDetails } from '../../members/members/members.store.ts';

/** A member of a file; details that are absent were not sent. */
export interface MemberToWrite extends MemberDetails {
  readonly id: string;
  readonly customAttributes: Readonly<Record<string, unknown>>;
}

/** A member whom a file enrols. */
export interface NewMemberRow extends MemberToWrite {
  readonly keySealed: Uint8Array;
  readonly emailIndex: string;
  readonly emailSealed: Uint8Array;
  readonly isUnsubscribed: boolean;
}
