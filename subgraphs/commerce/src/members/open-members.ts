/** May the member still earn? One whose erasure is pending may not. */
export const isOpen = <Member extends { readonly status: string }>(member: Member | null): member is Member =>
  member !== null && member.status !== 'DEACTIVATION_PENDING';
