import { Tokenizer } from 'htmlparser2';

/** The value of an `href` in HTML. */
interface LinkPlace {
  readonly start: number;
  readonly end: number;
  /** Decoded and trimmed. */
  readonly href: string;
}

/** The positions of the links of a page, and of the end of its body. */
export interface HtmlLinks {
  readonly links: readonly LinkPlace[];
  /** Position of the last `</body>`; the length of the text without one. */
  readonly bodyEnd: number;
}

const ignore = (): void => {};
/** Callbacks of the tokenizer that do nothing; the used ones are overridden. */
const nothing = {
  onattribdata: ignore,
  onattribentity: ignore,
  onattribend: ignore,
  onattribname: ignore,
  oncdata: ignore,
  onclosetag: ignore,
  oncomment: ignore,
  ondeclaration: ignore,
  onend: ignore,
  onopentagend: ignore,
  onopentagname: ignore,
  onprocessinginstruction: ignore,
  onselfclosingtag: ignore,
  ontext: ignore,
  ontextentity: ignore,
};

/**
 * Finds the links of a page, parsed as browsers parse it: a link in a comment, a style or the value of
 * another attribute does not count. Positions are returned, so that the rest of the HTML can stay unchanged.
 */
export function linksIn(html: string): HtmlLinks {
  const links: LinkPlace[] = [];
  let bodyEnd = html.length;
  let isLinkTag = false;
  let isHref = false;
  const tokenizer = new Tokenizer(
    { decodeEntities: false },
    {
      ...nothing,
      onopentagname(start, end) {
        isLinkTag = /^(a|area)$/i.test(html.slice(start, end));
      },
      onattribname(start, end) {
        isHref = isLinkTag && end - start === 4 && html.slice(start, end).toLowerCase() === 'href';
      },
      onattribdata(start, end) {
        if (isHref) links.push({ start, end, href: decoded(html.slice(start, end)).trim() });
      },
      onclosetag(start, end) {
        if (end - start === 4 && html.slice(start, end).toLowerCase() === 'body') bodyEnd = start - 2;
      },
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  return { links, bodyEnd };
}

/** Decodes the character references in the value of an attribute. */
function decoded(value: string): string {
  if (!value.includes('&')) return value;
  const quote = value.includes('"') ? "'" : '"';
  if (value.includes(quote)) return '';
  const source = `<a b=${quote}${value}${quote}>`;
  let text = '';
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      ...nothing,
      onattribdata(start, end) {
        text += source.slice(start, end);
      },
      onattribentity(point) {
        text += String.fromCodePoint(point);
      },
    },
  );
  tokenizer.write(source);
  tokenizer.end();
  return text;
}
