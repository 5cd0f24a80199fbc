import { AppError } from '@loyalty/platform/base/errors';
import { type Liquid, type Token, Tokenizer, TypeGuards } from 'liquidjs';
import { checkLiquid, hasDecliningLink, otherNames, templateInvalid } from './check-liquid.ts';
import { liquidOptions, type TemplatePlace, type UsedName } from './liquid.ts';
import { type CompiledMarkup, compileMarkup, type MarkupJob, type MarkupProblem, textOf } from './markup.ts';
import type { Content } from './render.ts';

/** The markup of a template, its own text if it has one, and the field paths for errors. */
export interface SourceJob {
  readonly format: MarkupJob['format'];
  readonly source: string;
  /** Null if the text is derived from the source. */
  readonly text: string | null;
  readonly fields: { readonly source: string; readonly text: string };
}

/** Compiled content with inlined styles. Each part is a Liquid template. */
export interface CompiledSource extends Omit<Content, 'subject'> {
  /** Whether each part has a link for declining more messages. */
  readonly hasLink: { readonly source: boolean; readonly text: boolean };
  /** Names that may be custom fields, by part. */
  readonly others: { readonly source: readonly UsedName[]; readonly text: readonly UsedName[] };
}

/** The data of an `AppError`, because a worker thread cannot transfer the error itself. */
export interface RefusedSource {
  readonly refused: Pick<AppError, 'category' | 'code' | 'message' | 'details'>;
}

/** Checks and compiles a source. Runs in a worker thread, because a hostile source may never finish. */
export async function compileOrRefuse(job: SourceJob): Promise<CompiledSource | RefusedSource> {
  try {
    return await compile(job);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { category, code, message, details } = error;
    return { refused: { category, code, message, details } };
  }
}

async function compile({ format, source, text, fields }: SourceJob): Promise<CompiledSource> {
  const used = {
    source: checkLiquid(fields.source, source),
    text: text === null ? [] : checkLiquid(fields.text, text),
  };
  const liquid = protectLiquid(source, liquidOptions);
  const compiled = await compileOrName({ format, markup: liquid.markup });
  if (compiled.problems) throw refusal(fields.source, liquid, compiled.problems);
  const [lost] = liquid.missing(compiled.html);
  if (lost) {
    const advice = format === 'MJML' ? 'put it into an mj-raw element' : 'put it elsewhere';
    const rule = `has ${lost.text.slice(0, 100)} where it would be lost: ${advice}`;
    throw templateInvalid(fields.source, rule, lost);
  }
  const html = liquid.restore(compiled.html);
  checkLiquid(fields.source, html, 'html');
  const written = text ?? derivedText(fields.source, liquid, compiled.html);
  const inText = text === null ? checkLiquid(fields.text, written) : used.text;
  return {
    html,
    text: written,
    hasLink: { source: hasDecliningLink(used.source), text: hasDecliningLink(inText) },
    others: { source: otherNames(used.source), text: otherNames(used.text) },
  };
}

const SHOWN_PROBLEMS = 3;

const compileOrName = (job: MarkupJob): Promise<CompiledMarkup> =>
  compileMarkup(job).catch((error: unknown) => {
    const message = error instanceof RangeError ? 'it is nested too deeply' : 'it cannot be compiled';
    return { problems: [{ message, line: 1 }] };
  });

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
 * Derives the text part from the HTML. Tags in comments and before the body are included, because they may
 * assign variables.
 *
 * @throws AppError TEMPLATE_INVALID (400) if the positions of tags make the text an invalid template
 */
function derivedText(field: string, liquid: ProtectedMarkup, html: string): string {
  try {
    const text = textOf(liquid.outOfComments(html));
    const bodyAt = Math.max(html.search(/<body\b/i), 0);
    const places = liquid.placesIn(html);
    const before = liquid.missing(text).filter((piece) => piece.isTag && (places.get(piece) ?? -1) < bodyAt);
    const derived = liquid.restore(before.map(liquid.nameOf).join('') + text);
    checkLiquid(field, derived);
    return derived;
  } catch {
    // Elements are nested too deeply, or tags stand where no text is possible.
    throw templateInvalid(field, 'cannot be made into a text: send a text, too');
  }
}

/** A tag or an output of Liquid that was replaced by a name. */
interface TakenPiece extends TemplatePlace {
  /** The original text. */
  readonly text: string;
  readonly isTag: boolean;
  /** Index among all pieces, from 0. */
  readonly place: number;
}

/**
 * Markup in which names replace tags and outputs of Liquid. The compilers of HTML do not know Liquid: they
 * would drop it between elements, or encode its quotation marks.
 */
export interface ProtectedMarkup {
  readonly markup: string;
  /** Replaces the names by the pieces. */
  restore(text: string): string;
  /** Returns the pieces that are missing in a text, in their order. */
  missing(text: string): TakenPiece[];
  /** Returns the name that replaces a piece. */
  readonly nameOf: (piece: TakenPiece) => string;
  /** Returns the positions of the pieces in a text. */
  placesIn(text: string): ReadonlyMap<TakenPiece, number>;
  /** Replaces comments that consist of pieces by the pieces. */
  outOfComments(html: string): string;
}

/** @throws LiquidError if the source cannot be tokenized */
function protectLiquid(source: string, options: Liquid['options']): ProtectedMarkup {
  const prefix = unusedName(source);
  const pieces: TakenPiece[] = [];
  const name = (index: number) => `${prefix}${index}z`;
  const tokens: readonly Token[] = new Tokenizer(source, options.operators).readTopLevelTokens(options);
  const parts = tokens.map((token) => {
    // The whole token, because the text of a tag may lack its delimiters.
    const text = source.slice(token.begin, token.end);
    const isTag = TypeGuards.isTagToken(token);
    if (!isTag && !TypeGuards.isOutputToken(token)) return text;
    const [line = 1, column = 1] = token.getPosition();
    const place = pieces.length;
    pieces.push({ text, isTag, line, column, place });
    return name(place);
  });
  // If a piece was an attribute, the compiler has given its name an empty value.
  const names = new RegExp(`${prefix}(\\d+)z(?:="")?`, 'gi');
  const comments = new RegExp(`<!--\\s*((?:${prefix}\\d+z\\s*)+)-->`, 'gi');
  return {
    markup: parts.join(''),
    restore: (text) => text.replace(names, (_, index: string) => pieces[Number(index)]?.text ?? ''),
    missing(text) {
      const found = new Set(Array.from(text.matchAll(names), ([, index]) => Number(index)));
      return pieces.filter((_, index) => !found.has(index));
    },
    nameOf: ({ place }) => name(place),
    placesIn: (text) =>
      new Map(Array.from(text.matchAll(names), ({ 1: index, index: at }) => [pieces[Number(index)]!, at])),
    outOfComments: (html) => html.replace(comments, '$1'),
  };
}

/**
 * Returns a name that the source does not contain. Lower-case letters are valid in elements, attributes, URLs
 * and styles.
 */
function unusedName(source: string): string {
  const text = source.toLowerCase();
  let name = 'liquidpiece';
  while (text.includes(name)) name += 'q';
  return name;
}
