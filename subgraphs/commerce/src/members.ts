/** A reference to a member. The loyalty subgraph resolves its fields. */
export interface MemberReference {
  readonly id: string;
}

/** Whether the member can earn points: it exists and its erasure is not pending. */
export const isOpen = <Member extends { readonly status: string }>(member: Member | null): member is Member =>
  member !== null && member.status !== 'DEACTIVATION_PENDING';
