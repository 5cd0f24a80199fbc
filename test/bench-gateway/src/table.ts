/** Prints rows below a title; numbers are aligned to the right. */
export function printTable(
  title: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  const widths = head.map((cell, at) => Math.max(cell.length, ...rows.map((row) => row[at]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  ');
  process.stdout.write(`\n${title}\n${[head, ...rows].map(line).join('\n')}\n`);
}

/** A number with about three digits; `-` where there is none. */
export function digits(value = Number.NaN): string {
  if (!Number.isFinite(value)) return '-';
  if (value >= 100) return value.toFixed(0);
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
