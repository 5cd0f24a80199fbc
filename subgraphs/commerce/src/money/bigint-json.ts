/** For `JSON.stringify`, which knows no bigint: writes it as text. */
export const bigintAsText = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? String(value) : value;

/** For `JSON.stringify`: writes a bigint as a number, which is exact for every amount. */
export const bigintAsNumber = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? Number(value) : value;
