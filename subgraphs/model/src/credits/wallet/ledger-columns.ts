/** Columns of a ledger line, in the order in which every statement that books credits selects them. */
export const ENTRY_COLUMNS = `id, workspace_id, transaction_id, kind, account, amount, balance_after,
       sequence, description, reference, created_at`;
