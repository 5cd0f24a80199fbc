import { type Liquid, type Token, Tokenizer, TypeGuards } from 'liquidjs';
import type { TemplatePlace } from './liquid.ts';

/** A tag or an output of Liquid, taken out of the markup that it stands in. */
interface TakenPiece extends TemplatePlace {
  /** As it was written. */
  readonly text: string;
  readonly isTag: boolean;
  /** Among all pieces, from 0. */
  readonly place: number;
}

/**
 * Markup in which names stand for tags and outputs of Liquid. What compiles HTML knows no Liquid: it would
 * drop it between elements, or write its quotation marks as entities.
 */
export interface ProtectedMarkup {
  readonly markup: string;
  /** Puts the pieces back. */
  restore(text: string): string;
  /** Pieces that are missing in a text, in their order. */
  missing(text: string): TakenPiece[];
  /** The name that stands for a piece. */
  readonly nameOf: (piece: TakenPiece) => string;
  /** Where in a text each piece is that it has. */
  placesIn(text: string): ReadonlyMap<TakenPiece, number>;
  /** Makes comments that consist of pieces a part of the text. */
  outOfComments(html: string): string;
}

/** @throws LiquidError where the tokens of the source cannot be told apart */
export function protectLiquid(source: string, options: Liquid['options']): ProtectedMarkup {
  const prefix = unusedName(source);
  const pieces: TakenPiece[] = [];
  const name = (index: number) => `${prefix}${index}z`;
  const tokens: readonly Token[] = new Tokenizer(source, options.operators).readTopLevelTokens(options);
  const parts = tokens.map((token) => {
    // The whole of it: the text of a tag may lack its delimiters.
    const text = source.slice(token.begin, token.end);
    const isTag = TypeGuards.isTagToken(token);
    if (!isTag && !TypeGuards.isOutputToken(token)) return text;
    const [line = 1, column = 1] = token.getPosition();
    const place = pieces.length;
    pieces.push({ text, isTag, line, column, place });
    return name(place);
  });
  // Where a piece was an attribute by itself, its name was given an empty value.
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

/** Lower-case letters only, which are good in an element, an attribute, an address and a style. */
function unusedName(source: string): string {
  const text = source.toLowerCase();
  let name = 'liquidpiece';
  while (text.includes(name)) name += 'q';
  return name;
}
