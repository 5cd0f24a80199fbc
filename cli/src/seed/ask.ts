/** Sends an operation as the owner of the demo workspace. */
export type Ask = (query: string, variables: Record<string, unknown>) => Promise<Record<string, unknown>>;
