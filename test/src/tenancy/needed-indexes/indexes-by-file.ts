/** By the file of a query and the index that it needs: a piece of the query, with a column of the index. */
export type IndexesByFile = Readonly<Record<string, Readonly<Record<string, string>>>>;
