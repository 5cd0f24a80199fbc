/** HTML that is safe to show: inserted text is escaped. */
export interface Html {
  readonly markup: string;
}

type HtmlValue = string | number | null | Html | readonly Html[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function markupOf(value: HtmlValue): string {
  if (value === null) return '';
  if (typeof value === 'object')
    return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('');
  return String(value).replace(/[&<>"']/g, (sign) => ENTITIES[sign]!);
}

/** Template tag for HTML. Text is escaped; `Html` values and lists of them are not; null inserts nothing. */
export const html = (strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html => ({
  markup: String.raw({ raw: strings }, ...values.map(markupOf)),
});

const STYLE = `
:root { color-scheme: light dark; --line: #8886; --soft: #8882; }
body { font: 1rem/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 1rem; }
h1 { font-size: 1.6rem; line-height: 1.2; }
h2 { border-top: 1px solid var(--line); font-size: 1.2rem; margin-top: 2rem; padding-top: 1rem; }
table { border-collapse: collapse; }
caption { font-weight: 600; padding: 0.5rem 0; text-align: left; }
th, td { border-bottom: 1px solid var(--line); padding: 0.25rem 0.75rem 0.25rem 0; text-align: left; }
td.number, th.number { font-variant-numeric: tabular-nums; text-align: right; }
.wide { overflow-x: auto; }
dl { display: grid; gap: 0.25rem 1rem; grid-template-columns: minmax(6rem, 28%) 1fr; }
dt { opacity: 0.8; }
dd { margin: 0; overflow-wrap: anywhere; }
svg { height: auto; max-width: 100%; }
@media print { body { max-width: none; } h2 { break-after: avoid; } }
`;

interface HtmlPage {
  readonly title: string;
  readonly body: Html;
  /** Further elements of the head. Default: the style of reports. */
  readonly head?: Html;
  /** Content above the title, outside the main part. */
  readonly banner?: Html | null;
  readonly className?: string;
}

const REPORT: Html = { markup: `<style>${STYLE}</style>` };

/** A whole page in English. */
export const htmlPage = ({ title, body, head = REPORT, banner = null, className }: HtmlPage): string =>
  `<!doctype html>\n${
    html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
${head}
</head>
<body>
${banner}<main${className ? html` class="${className}"` : null}>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`.markup
  }`;

/** A table; numeric cells are aligned to the right. */
export const htmlTable = (table: {
  readonly caption: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly (string | number | null)[])[];
}): Html => html`<div class="wide" tabindex="0" role="group" aria-label="${table.caption}"><table>
<caption>${table.caption}</caption>
<thead><tr>${table.head.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${table.rows.map((cells) => html`<tr>${cells.map(cellOf)}</tr>\n`)}</tbody>
</table></div>`;

const cellOf = (cell: string | number | null): Html =>
  typeof cell === 'number' ? html`<td class="number">${shownNumber(cell)}</td>` : html`<td>${cell}</td>`;

/** Formats a number with four significant digits, as in tables. */
export const shownNumber = (value: number): string =>
  Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(4)));
