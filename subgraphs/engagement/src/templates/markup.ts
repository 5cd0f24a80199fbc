import { convert, type HtmlToTextOptions } from 'html-to-text';

/** Markup without Liquid that must be compiled. */
export interface MarkupJob {
  readonly format: 'HTML' | 'MJML';
  readonly markup: string;
}

/** An error in MJML and its line, from 1. */
export interface MarkupProblem {
  readonly message: string;
  readonly line: number;
}

export type CompiledMarkup =
  | { readonly html: string; readonly problems?: never }
  | { readonly problems: readonly MarkupProblem[] };

/** Maximum number of characters of compiled HTML. Mail programs show far less. */
const COMPILED_MAX = 2 * 1024 * 1024;

const STYLE = /<style\b/i;

/** Whether the HTML does not change, because it has no styles to inline. */
export const isAsWritten = ({ format, markup }: MarkupJob): boolean =>
  format === 'HTML' && !STYLE.test(markup);

/**
 * Compiles MJML and inlines styles. Media queries, fonts and pseudo-classes stay in a style element. Reads
 * nothing from disk or network: `mj-include` is refused, and links to style sheets stay links.
 */
export async function compileMarkup(job: MarkupJob): Promise<CompiledMarkup> {
  const { format, markup } = job;
  const repeated = isAsWritten(job) ? null : repeatedAttribute(markup);
  if (repeated) return { problems: [repeated] };
  const compiled = format === 'MJML' ? await compileMjml(markup) : { html: markup };
  if (compiled.problems) return compiled;
  if (compiled.html.length > COMPILED_MAX)
    return { problems: [{ message: `it compiles to more than ${COMPILED_MAX} characters`, line: 1 }] };
  if (!STYLE.test(compiled.html)) return compiled;
  const { default: juice } = await import('juice');
  return { html: juice(compiled.html, { preserveImportant: true }) };
}

/** No files are read, and no external fonts are loaded unless the template names them. */
const MJML_OPTIONS = { validationLevel: 'strict', ignoreIncludes: true, minify: false, fonts: {} } as const;

const START_TAG = /<[a-z][^<>"']*(?:(?:"[^"]*"|'[^']*')[^<>"']*)*>/gi;
const ATTRIBUTE = /\s([a-z][\w:-]*)\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+)/gi;

/**
 * Finds a repeated attribute. Parsers keep only the first one, so one of two branches of Liquid would be
 * lost.
 */
function repeatedAttribute(markup: string): MarkupProblem | null {
  for (const { 0: tag, index } of markup.matchAll(START_TAG)) {
    const names = Array.from(tag.matchAll(ATTRIBUTE), ([, name]) => name!.toLowerCase());
    const repeated = names.find((name, place) => names.indexOf(name) < place);
    if (!repeated) continue;
    const line = markup.slice(0, index).split('\n').length;
    return { message: `an element has ${repeated} twice: put the condition into its value`, line };
  }
  return null;
}

const INCLUDE = /<mj-include\b/i;

async function compileMjml(markup: string): Promise<CompiledMarkup> {
  const include = INCLUDE.exec(markup);
  if (include) {
    const line = markup.slice(0, include.index).split('\n').length;
    return { problems: [{ message: 'mj-include is not supported: put the content here', line }] };
  }
  const { default: mjml } = await import('mjml');
  try {
    const { html } = await mjml(markup, MJML_OPTIONS);
    return { html };
  } catch (error) {
    return { problems: problemsOf(error) };
  }
}

function problemsOf(error: unknown): MarkupProblem[] {
  const { errors } = error as { errors?: readonly { line: number; message: string; tagName: string }[] };
  if (errors && errors.length > 0)
    return errors.map(({ line, message, tagName }) => ({ message: `${tagName}: ${message.trim()}`, line }));
  const isDeep = error instanceof RangeError;
  return [{ message: isDeep ? 'it is nested too deeply' : 'it must be one mjml element', line: 1 }];
}

const TEXT_OPTIONS: HtmlToTextOptions = {
  wordwrap: false,
  selectors: [
    {
      selector: 'a',
      options: { hideLinkHrefIfSameAsText: true, noAnchorUrl: true, linkBrackets: ['(', ')'] },
    },
    { selector: 'img', format: 'skip' },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
  ],
};

/** Returns the plain text of HTML, for mail programs without HTML. */
export const textOf = (html: string): string => convert(html, TEXT_OPTIONS);
