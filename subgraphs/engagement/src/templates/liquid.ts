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

/** Characters of one template, and characters and items that filters and ranges may make of it. */
const LENGTH_MAX = 8 * 1024 * 1024;
const MEMORY_MAX = 4_000_000;

let lined = { text: '', ends: [] as readonly number[] };

/** The place from 1 by the ends of lines, which are found once: liquidjs counts all characters each time. */
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
  // So that `default` may name what is missing.
  lenientIf: true,
  ownPropertyOnly: true,
  templates: {},
  dynamicPartials: false,
  timezoneOffset: 0,
  locale: 'en',
  memoryLimit: MEMORY_MAX,
  operators: limitedOperators,
} as const;

/** What would read other templates; there are none. */
const REFUSED_TAGS = ['include', 'render', 'layout', 'block'];

function createEngine(options: ConstructorParameters<typeof Liquid>[0]): Liquid {
  const engine = new Liquid(options);
  for (const tag of REFUSED_TAGS) delete engine.tags[tag];
  limitEngine(engine);
  return engine;
}

/** What is printed is escaped in HTML, unless a template says `| raw`. */
const engines = {
  html: createEngine({ ...strict, outputEscape: limitedEscape }),
  text: createEngine(strict),
};

/** How both kinds of templates are read. */
export const liquidOptions: Liquid['options'] = engines.text.options;

export type LiquidKind = keyof typeof engines;

/** What a template may use. */
export const liquidNames = {
  filters: Object.keys(engines.text.filters),
  tags: Object.keys(engines.text.tags),
};

/** Where in a template something is, both from 1. */
export interface TemplatePlace {
  readonly line: number;
  readonly column: number;
}

/** Memory for parsed templates of each kind, in bytes, and of one tag or output, roughly. */
const REMEMBERED_BYTES = 32 * 1024 * 1024;
const PIECE_BYTES = 1_000;

const remembered = (): LRUCache<string, Template[]> =>
  new LRUCache({
    maxSize: REMEMBERED_BYTES,
    sizeCalculation: (_, text) => 2 * text.length + PIECE_BYTES * text.split('{').length,
  });
const parsed = { html: remembered(), text: remembered() };

/** A template, parsed once for each text; @throws LiquidError */
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
  // Their first is taken again and again, for which a long list would be moved each time.
  const queue = Object.assign(tokens.reverse(), { shift: tokens.pop });
  return new Parser(engine).parseTokens(queue);
}

/** Can take long: see render-work.ts. @throws LiquidError, or what a filter throws */
export function renderLiquid(kind: LiquidKind, text: string, variables: Record<string, unknown>): string {
  const engine = engines[kind];
  const renderLimit = createLimits() as unknown as Context['renderLimit'];
  const context = new Context(variables, engine.options, { sync: true }, { renderLimit, liquid: engine });
  const rendered: unknown = engine.renderSync(parseLiquid(kind, text), context);
  return String(rendered);
}

/** A name that a template expects to be given, and where. */
export interface UsedName extends TemplatePlace {
  readonly name: string;
}

/** The roots of the variables that a template expects to be given, each where it stands first. */
export function usedNames(text: string): UsedName[] {
  const { globals } = engines.text.analyzeSync(parseLiquid('text', text), { partials: false });
  return Object.entries(globals).map(([root, [first]]) => {
    const name = String(first?.segments[0] ?? root);
    return { name, line: first?.location.row ?? 1, column: first?.location.col ?? 1 };
  });
}

/** Where liquidjs says that an error is; the beginning for errors of others. */
export function placeOf(error: unknown): TemplatePlace {
  if (!LiquidError.is(error)) return { line: 1, column: 1 };
  const [line, column] = error.token.getPosition();
  return { line: line ?? 1, column: column ?? 1 };
}

/** Says what is wrong with how a template is written, in its own words and without values. */
export function parseMessage(error: unknown): string {
  const message = error instanceof Error ? error.message : 'it cannot be read';
  if (message.includes('call stack')) return 'it is nested too deeply';
  return message.replace(/, (?:file:.*, )?line:\d+, col:\d+$/s, '').slice(0, 200);
}
