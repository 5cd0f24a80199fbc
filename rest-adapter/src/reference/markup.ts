/** Text as HTML shows it, also within an attribute. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** The little Markdown of descriptions: paragraphs, `**strong**` and code between backticks. */
export const proseHtml = (text: string): string =>
  text
    .split(/\n\s*\n/)
    .map((paragraph) => `<p>${inlineHtml(paragraph)}</p>`)
    .join('');

/** Code is set aside first: stars within it mean themselves. */
export const inlineHtml = (text: string): string =>
  text
    .split(/(`[^`]+`)/)
    .map((part) =>
      part.startsWith('`') && part.length > 2
        ? `<code>${escapeHtml(part.slice(1, -1))}</code>`
        : escapeHtml(part).replace(/\*\*(.+?)\*\*/g, '<strong>$1</strong>'),
    )
    .join('');

/** A piece of code that can be scrolled by keyboard. */
export const codeHtml = (code: string, label: string): string =>
  `<pre tabindex="0" role="region" aria-label="${escapeHtml(label)}"><code>${escapeHtml(code)}</code></pre>`;
