/** A `select` of Prisma with these columns. */
export const columns = <const Name extends string>(
  ...names: readonly (string extends Name ? never : Name)[]
): { readonly [K in Name]: true } =>
  Object.fromEntries(names.map((name) => [name, true])) as { readonly [K in Name]: true };

/** A condition of Prisma: the column contains the text, in upper or lower case. */
export const containing = (text: string) =>
  ({ contains: text.replaceAll(/[\\%_]/g, String.raw`\$&`), mode: 'insensitive' }) as const;

/** The column of a field: `memberId` is `member_id`. */
export const columnOf = (field: string): string =>
  field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The columns of a `select` in SQL, of the table itself or of its alias. */
export const inSql = (select: object, alias?: string): string =>
  Object.keys(select)
    .map(columnOf)
    .map((column) => (alias ? `${alias}.${column}` : column))
    .join(', ');
