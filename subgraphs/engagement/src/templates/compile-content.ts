import { invalid } from '@loyalty/platform/base/errors';
import { checkStorable, hasControlCharacters } from '@loyalty/platform/base/input';
import {
  bytesAtMost,
  lengthAtMost,
  noControlCharacters,
  notEmpty,
  oneLine,
} from '@loyalty/platform/base/input-rules';
import type { WorkOwner } from '@loyalty/platform/work/bounded-work';
import { checkLiquid, otherNames, refuseUnknown } from './check-liquid.ts';
import type { CompiledSource } from './compile.ts';
import { compileSource, type TemplateFormat } from './compile-source.ts';
import type { Content } from './render.ts';

/** Compiled content with inlined styles. Each part is a Liquid template. */
export type CompiledContent = Content;

/** Characters. */
const SUBJECT_MAX = 300;

const SOURCE_BYTES_MAX = 512 * 1024;

/** A template as it was written. */
export interface WrittenContent {
  readonly subject: string;
  readonly format: TemplateFormat;
  readonly source: string;
  /** Null if the text is derived from the source. */
  readonly text: string | null;
}

export interface CompileOptions {
  /** Keys of the workspace's custom fields. Called only if a template uses a name that is not built in. */
  readonly customFields: () => Promise<ReadonlySet<string>>;
  /** Marketing needs a link for declining it. A footer is added if there is none. */
  readonly needsLink: boolean;
}

/**
 * Checks and compiles a template: MJML to HTML, inlined styles, and the text part. The results are still
 * Liquid templates.
 *
 * @throws AppError VALIDATION_FAILED, TEMPLATE_INVALID (400) naming the field, the latter also the place
 */
export async function compileContent(
  owner: WorkOwner,
  written: WrittenContent,
  { customFields, needsLink }: CompileOptions,
): Promise<CompiledContent> {
  const subject = checkSubject('input.subject', written.subject);
  const source = checkSource('input.source', written.source);
  const text = written.text === null ? null : checkSource('input.text', written.text);
  const inSubject = otherNames(checkLiquid('input.subject', subject));
  const fields = { source: 'input.source', text: 'input.text' };
  const compiled = await compileSource(owner, { format: written.format, source, text, fields });
  const others = { subject: inSubject, ...compiled.others };
  if (Object.values(others).some((names) => names.length > 0)) {
    const keys = await customFields();
    for (const part of ['subject', 'source', 'text'] as const)
      refuseUnknown(`input.${part}`, others[part], keys);
  }
  return { subject, ...(needsLink ? withLinks(compiled) : partsOf(compiled)) };
}

type Parts = Pick<Content, 'html' | 'text'>;

const partsOf = ({ html, text }: CompiledSource): Parts => ({ html, text });

const withLinks = ({ html, text, hasLink }: CompiledSource): Parts => ({
  html: hasLink.source ? html : withFooter(html, HTML_FOOTER),
  text: hasLink.text ? text : text + TEXT_FOOTER,
});

/**
 * As `compileContent`, for a message without a template. Unknown custom fields are found only when it is
 * rendered.
 *
 * @param needsLink - for marketing: a footer is added if there is no link for declining it
 * @throws AppError VALIDATION_FAILED, TEMPLATE_INVALID (400) naming `input.subject` or `input.html`
 */
export async function compileInline(
  owner: WorkOwner,
  { subject, html }: { readonly subject: string; readonly html: string },
  needsLink = false,
): Promise<CompiledContent> {
  const checked = checkSubject('input.subject', subject);
  const source = checkSource('input.html', html);
  checkLiquid('input.subject', checked);
  const fields = { source: 'input.html', text: 'input.html' };
  const compiled = await compileSource(owner, { format: 'HTML', source, text: null, fields });
  return { subject: checked, ...(needsLink ? withLinks(compiled) : partsOf(compiled)) };
}

function checkSubject(field: string, text: string): string {
  const subject = text.trim();
  if (subject.length === 0) throw invalid(field, notEmpty);
  if (subject.length > SUBJECT_MAX) throw invalid(field, lengthAtMost(SUBJECT_MAX));
  if (/[\r\n\t]/.test(subject) || hasControlCharacters(subject)) throw invalid(field, oneLine);
  checkStorable(field, subject);
  return subject;
}

function checkSource(field: string, text: string): string {
  if (text.trim().length === 0) throw invalid(field, notEmpty);
  if (Buffer.byteLength(text) > SOURCE_BYTES_MAX) throw invalid(field, bytesAtMost(SOURCE_BYTES_MAX));
  if (hasControlCharacters(text)) throw invalid(field, noControlCharacters);
  checkStorable(field, text);
  return text;
}

const LINK = 'style="color:#595959;"';

/** The footer of marketing whose template has no link for declining it. */
const HTML_FOOTER = [
  '<div style="padding:24px;font-family:Arial,sans-serif;font-size:12px;line-height:18px;',
  'text-align:center;color:#595959;">',
  `<a href="{{ unsubscribe_url }}" ${LINK}>Unsubscribe</a> · `,
  `<a href="{{ preferences_url }}" ${LINK}>Preferences</a></div>`,
].join('');

const TEXT_FOOTER = '\n\nUnsubscribe: {{ unsubscribe_url }}\nPreferences: {{ preferences_url }}\n';

/** Adds a footer at the end of the body. */
function withFooter(html: string, footer: string): string {
  const end = html.toLowerCase().lastIndexOf('</body');
  return end < 0 ? html + footer : html.slice(0, end) + footer + html.slice(end);
}
