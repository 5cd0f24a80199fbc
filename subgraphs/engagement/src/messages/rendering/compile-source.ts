import { AppError } from '@loyalty/platform/errors';
import { checkLiquid } from './check-liquid.ts';
import { liquidOptions } from './liquid.ts';
import { compileMarkup, isAsWritten, type MarkupJob, type MarkupProblem, textOf } from './markup.steps.ts';
import { markupCompiler } from './markup-compiler.ts';
import { type ProtectedMarkup, protectLiquid } from './protected-liquid.ts';
import type { Content } from './render.ts';
import { templateInvalid } from './template-invalid.ts';

export type TemplateFormat = MarkupJob['format'];

/** Compiled, with inlined styles; each part is a Liquid template. */
export type CompiledContent = Content;

export interface WrittenSource {
  readonly format: TemplateFormat;
  readonly source: string;
  /** Null where it is made from the source. */
  readonly text: string | null;
}

const SHOWN_PROBLEMS = 3;

/**
 * Compiles a source that was checked as a Liquid template.
 *
 * @throws AppError TEMPLATE_INVALID (400) naming the field, with the line
 */
export async function compileSource(
  field: string,
  { format, source, text }: WrittenSource,
): Promise<Omit<CompiledContent, 'subject'>> {
  const liquid = protectLiquid(source, liquidOptions);
  const job = { format, markup: liquid.markup };
  const compiled = await (isAsWritten(job) ? compileMarkup(job) : markupCompiler.compile(job));
  if (compiled.problems) throw refusal(field, liquid, compiled.problems);
  const [lost] = liquid.missing(compiled.html);
  if (lost) {
    const advice = format === 'MJML' ? 'put it into an mj-raw element' : 'put it elsewhere';
    throw templateInvalid(field, `has ${lost.text.slice(0, 100)} where it would be lost: ${advice}`, lost);
  }
  const html = liquid.restore(compiled.html);
  checkLiquid(field, html, 'html');
  return { html, text: text ?? derivedText(field, liquid, compiled.html) };
}

function refusal(field: string, liquid: ProtectedMarkup, problems: readonly MarkupProblem[]): AppError {
  const shown = problems
    .slice(0, SHOWN_PROBLEMS)
    .map(({ message, line }) => `at line ${line}, ${liquid.restore(message)}`);
  const more = problems.length > shown.length ? `; and ${problems.length - shown.length} more` : '';
  const message = `${field} cannot be compiled: ${shown.join('; ')}${more}.`;
  const line = problems[0]?.line ?? 1;
  return new AppError('BAD_USER_INPUT', 'TEMPLATE_INVALID', message, { field, line });
}

/**
 * The text part: what the HTML says. Tags in comments and before the body count, too: they may assign
 * variables.
 *
 * @throws AppError TEMPLATE_INVALID (400) where tags are so placed that the text is no valid template
 */
function derivedText(field: string, liquid: ProtectedMarkup, html: string): string {
  try {
    const text = textOf(liquid.outOfComments(html));
    const bodyAt = Math.max(html.search(/<body\b/i), 0);
    const before = liquid
      .missing(text)
      .filter((piece) => piece.isTag && html.indexOf(liquid.nameOf(piece)) < bodyAt);
    const derived = liquid.restore(before.map(liquid.nameOf).join('') + text);
    checkLiquid('input.text', derived);
    return derived;
  } catch {
    // Its elements are nested too deeply, or its tags are where text is none.
    throw templateInvalid(field, 'cannot be made into a text: send a text, too');
  }
}
