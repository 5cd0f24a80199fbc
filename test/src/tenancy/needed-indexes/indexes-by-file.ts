/**
 * For each file with a query and each index that the query needs, a part of the query that names a column of
 * the index.
 */
export type IndexesByFile = Readonly<Record<string, Readonly<Record<string, string>>>>;
