/** A member in an answer, to which the loyalty subgraph adds its fields. */
export interface MemberReference {
  readonly id: string;
}

/** May the member still earn points? Not once their erasure is pending. */
export const isOpen = <Member extends { readonly status: string }>(member: Member | null): member is Member =>
  member !== null && member.status !== 'DEACTIVATION_PENDING';
