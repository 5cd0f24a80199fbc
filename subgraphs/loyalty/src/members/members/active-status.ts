/**
 * What an active member `m` of a statement is: who unsubscribed is UNSUBSCRIBED wherever others are ACTIVE.
 */
export const ACTIVE_STATUS =
  "(CASE WHEN m.is_unsubscribed THEN 'UNSUBSCRIBED' ELSE 'ACTIVE' END)::loyalty.\"MemberStatus\"";
