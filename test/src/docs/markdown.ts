/** Parts of the pages that are generated. */
export const code = (text: string): string => `\`${text}\``;
export const codes = (texts: readonly string[]): string => texts.map(code).join(', ');
export const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
export const table = (heads: readonly string[], rows: readonly string[]): string =>
  [row(...heads), row(...heads.map(() => '---')), ...rows].join('\n');
