/** Returns a `select` of Prisma with these columns. */
export const columns = <const Name extends string>(
  ...names: readonly (string extends Name ? never : Name)[]
): { readonly [K in Name]: true } =>
  Object.fromEntries(names.map((name) => [name, true])) as { readonly [K in Name]: true };

/** Returns a condition of Prisma: the column contains the text, ignoring case. */
export const containing = (text: string) =>
  ({ contains: text.replaceAll(/[\\%_]/g, String.raw`\$&`), mode: 'insensitive' }) as const;

/** Returns the column of a field: `memberId` becomes `member_id`. */
export const columnOf = (field: string): string =>
  field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Returns the columns of a `select` in SQL, optionally with an alias of the table. */
export const inSql = (select: object, alias?: string): string =>
  Object.keys(select)
    .map(columnOf)
    .map((column) => (alias ? `${alias}.${column}` : column))
    .join(', ');
