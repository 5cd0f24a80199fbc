import {
  Context,
  Liquid,
  LiquidError,
  Parser,
  type Template,
  Token,
  Tokenizer,
  type TopLevelToken,
} from 'liquidjs';
import { LRUCache } from 'lru-cache';
import { createLimits, limitEngine, limitedEscape, limitedOperators } from './liquid-limits.ts';

/**
 * Maximum number of characters of a template, and of characters and items that filters and ranges may create.
 */
const LENGTH_MAX = 8 * 1024 * 1024;
const MEMORY_MAX = 4_000_000;

let lined = { text: '', ends: [] as readonly number[] };

/**
 * Returns line and column, from 1. The ends of lines are searched once, because liquidjs would count all
 * characters for each token.
 */
Token.prototype.getPosition = function getPosition() {
  if (lined.text !== this.input)
    lined = { text: this.input, ends: Array.from(this.input.matchAll(/\n/g), ({ index }) => index) };
  const { ends } = lined;
  let [low, high] = [0, ends.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ends[middle]! < this.begin) low = middle + 1;
    else high = middle;
  }
  return [low + 1, this.begin - (ends[low - 1] ?? -1)];
};

const strict = {
  strictVariables: true,
  strictFilters: true,
  // Allows `default` for missing variables.
  lenientIf: true,
  ownPropertyOnly: true,
  templates: {},
  dynamicPartials: false,
  timezoneOffset: 0,
  locale: 'en',
  memoryLimit: MEMORY_MAX,
  operators: limitedOperators,
} as const;

/** Tags that read other templates, which do not exist here. */
const REFUSED_TAGS = ['include', 'render', 'layout', 'block'];

function createEngine(options: ConstructorParameters<typeof Liquid>[0]): Liquid {
  const engine = new Liquid(options);
  for (const tag of REFUSED_TAGS) delete engine.tags[tag];
  limitEngine(engine);
  return engine;
}

/** Printed values are escaped in HTML, unless a template uses `| raw`. */
const engines = {
  html: createEngine({ ...strict, outputEscape: limitedEscape }),
  text: createEngine(strict),
};

/** The parser options of both kinds of templates. */
export const liquidOptions: Liquid['options'] = engines.text.options;

export type LiquidKind = keyof typeof engines;

/** The tags and filters that a template may use. */
export const liquidNames = {
  filters: Object.keys(engines.text.filters),
  tags: Object.keys(engines.text.tags),
};

/** A position in a template. Line and column begin with 1. */
export interface TemplatePlace {
  readonly line: number;
  readonly column: number;
}

/**
 * Memory for the cache of parsed templates of each kind, and the approximate memory of a tag or output, in
 * bytes.
 */
const REMEMBERED_BYTES = 32 * 1024 * 1024;
const PIECE_BYTES = 1_000;

const remembered = (): LRUCache<string, Template[]> =>
  new LRUCache({
    maxSize: REMEMBERED_BYTES,
    sizeCalculation: (_, text) => 2 * text.length + PIECE_BYTES * text.split('{').length,
  });
const parsed = { html: remembered(), text: remembered() };

/** Parses a template. Results are cached. @throws LiquidError */
export function parseLiquid(kind: LiquidKind, text: string): Template[] {
  const known = parsed[kind].get(text);
  if (known) return known;
  const templates = parse(engines[kind], text);
  parsed[kind].set(text, templates);
  return templates;
}

function parse(engine: Liquid, text: string): Template[] {
  if (text.length > LENGTH_MAX) throw new Error(`it has more than ${LENGTH_MAX} characters`);
  const { options } = engine;
  const tokens: TopLevelToken[] = new Tokenizer(text, options.operators).readTopLevelTokens(options);
  // The parser calls `shift` for each token, which would move a long list each time.
  const queue = Object.assign(tokens.reverse(), { shift: tokens.pop });
  return new Parser(engine).parseTokens(queue);
}

/**
 * Renders a template. This may take long: see render-work.ts. @throws LiquidError, or an error of a filter
 */
export function renderLiquid(kind: LiquidKind, text: string, variables: Record<string, unknown>): string {
  const engine = engines[kind];
  const renderLimit = createLimits() as unknown as Context['renderLimit'];
  const context = new Context(variables, engine.options, { sync: true }, { renderLimit, liquid: engine });
  const rendered: unknown = engine.renderSync(parseLiquid(kind, text), context);
  return String(rendered);
}

/** The name of a variable that a template uses, and its position. */
export interface UsedName extends TemplatePlace {
  readonly name: string;
}

/** Returns the root names of the variables that a template uses, each at its first position. */
export function usedNames(text: string): UsedName[] {
  const { globals } = engines.text.analyzeSync(parseLiquid('text', text), { partials: false });
  return Object.entries(globals).map(([root, [first]]) => {
    const name = String(first?.segments[0] ?? root);
    return { name, line: first?.location.row ?? 1, column: first?.location.col ?? 1 };
  });
}

/** Returns the position of an error of liquidjs; for other errors, the beginning. */
export function placeOf(error: unknown): TemplatePlace {
  if (!LiquidError.is(error)) return { line: 1, column: 1 };
  const [line, column] = error.token.getPosition();
  return { line: line ?? 1, column: column ?? 1 };
}

/** Returns the message of a syntax error, without values. */
export function parseMessage(error: unknown): string {
  const message = error instanceof Error ? error.message : 'it cannot be read';
  if (message.includes('call stack')) return 'it is nested too deeply';
  return message.replace(/, (?:file:.*, )?line:\d+, col:\d+$/s, '').slice(0, 200);
}
