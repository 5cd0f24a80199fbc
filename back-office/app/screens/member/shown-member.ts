import type { MemberQuery } from './generated/member.ts';

/** A member as their screen shows them. */
export type ShownMember = NonNullable<MemberQuery['member']>;

/** Of a dialog about one member. */
export interface MemberDialogProps {
  readonly member: ShownMember;
  readonly onClose: () => void;
}
