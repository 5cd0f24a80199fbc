import { invalid } from '@loyalty/platform/errors';
import { checkStorable, hasControlCharacters } from '@loyalty/platform/values/input';
import { checkLiquid, hasDecliningLink, otherNames, refuseUnknown } from './check-liquid.ts';
import { type CompiledContent, compileSource, type WrittenSource } from './compile-source.ts';
import { HTML_FOOTER, TEXT_FOOTER, withFooter } from './footer.ts';

export type { CompiledContent };

/** Characters. */
const SUBJECT_MAX = 300;
const SOURCE_BYTES_MAX = 512 * 1024;

/** A template as it was written. */
export interface WrittenContent extends WrittenSource {
  readonly subject: string;
}

export interface CompileOptions {
  /** Keys of the workspace's custom fields; asked only where a template uses a name that is not built in. */
  readonly customFields: () => Promise<ReadonlySet<string>>;
  /** Marketing needs a link for declining it: a footer is added where there is none. */
  readonly needsLink: boolean;
}

/**
 * Checks a template and compiles it: MJML to HTML, styles inlined, and text. All three parts stay Liquid
 * templates.
 *
 * @throws AppError VALIDATION_FAILED, TEMPLATE_INVALID (400) naming the field, the latter with the place
 */
export async function compileContent(
  written: WrittenContent,
  { customFields, needsLink }: CompileOptions,
): Promise<CompiledContent> {
  const subject = checkSubject('input.subject', written.subject);
  const source = checkSource('input.source', written.source);
  const text = written.text === null ? null : checkSource('input.text', written.text);
  const used = {
    subject: checkLiquid('input.subject', subject),
    source: checkLiquid('input.source', source),
    text: text === null ? [] : checkLiquid('input.text', text),
  };
  if (otherNames(Object.values(used).flat()).length > 0) {
    const keys = await customFields();
    for (const part of ['subject', 'source', 'text'] as const)
      refuseUnknown(`input.${part}`, used[part], keys);
  }
  const compiled = await compileSource('input.source', { format: written.format, source, text });
  if (!needsLink) return { subject, html: compiled.html, text: compiled.text };
  return { subject, ...withLinks(compiled, hasDecliningLink(used.source)) };
}

function withLinks<C extends Pick<CompiledContent, 'html' | 'text'>>(compiled: C, hasLink: boolean): C {
  const hasTextLink = hasDecliningLink(checkLiquid('input.text', compiled.text));
  return {
    ...compiled,
    html: hasLink ? compiled.html : withFooter(compiled.html, HTML_FOOTER),
    text: hasTextLink ? compiled.text : compiled.text + TEXT_FOOTER,
  };
}

/**
 * As `compileContent`, for a message without a template. Custom fields that do not exist are found when it is
 * rendered.
 *
 * @param needsLink - of marketing: a footer is added where no link lets the recipient decline it
 * @throws AppError VALIDATION_FAILED, TEMPLATE_INVALID (400) naming `input.subject` or `input.html`
 */
export async function compileInline(
  subject: string,
  html: string,
  needsLink = false,
): Promise<CompiledContent> {
  const checked = checkSubject('input.subject', subject);
  const source = checkSource('input.html', html);
  checkLiquid('input.subject', checked);
  const used = checkLiquid('input.html', source);
  const compiled = await compileSource('input.html', { format: 'HTML', source, text: null });
  const { html: body, text } = needsLink ? withLinks(compiled, hasDecliningLink(used)) : compiled;
  return { subject: checked, html: body, text };
}

function checkSubject(field: string, text: string): string {
  const subject = text.trim();
  if (subject.length === 0) throw invalid(field, 'must not be empty');
  if (subject.length > SUBJECT_MAX) throw invalid(field, `must have at most ${SUBJECT_MAX} characters`);
  if (/[\r\n\t]/.test(subject) || hasControlCharacters(subject)) throw invalid(field, 'must be one line');
  checkStorable(field, subject);
  return subject;
}

function checkSource(field: string, text: string): string {
  if (text.trim().length === 0) throw invalid(field, 'must not be empty');
  if (Buffer.byteLength(text) > SOURCE_BYTES_MAX)
    throw invalid(field, `must have at most ${SOURCE_BYTES_MAX} bytes`);
  if (hasControlCharacters(text)) throw invalid(field, 'must not contain control characters');
  checkStorable(field, text);
  return text;
}
