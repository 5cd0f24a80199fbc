import { performance } from 'node:perf_hooks';
import { Context, Liquid, LiquidError, type Template } from 'liquidjs';
import { LRUCache } from 'lru-cache';

/** Limits of one template, so that none can hold up the process. */
const LENGTH_MAX = 8 * 1024 * 1024;
const RENDER_MS_MAX = 1_000;
/** Characters and items that filters and ranges may make. */
const MEMORY_MAX = 4_000_000;
/** Tags, outputs and texts that are rendered. */
const STEPS_MAX = 200_000;

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
  parseLimit: LENGTH_MAX,
  memoryLimit: MEMORY_MAX,
} as const;

/** What would read other templates; there are none. */
const REFUSED_TAGS = ['include', 'render', 'layout', 'block'];

function createEngine(options: ConstructorParameters<typeof Liquid>[0]): Liquid {
  const engine = new Liquid(options);
  for (const tag of REFUSED_TAGS) delete engine.tags[tag];
  return engine;
}

/** What is printed is escaped in HTML, unless a template says `| raw`. */
const engines = {
  html: createEngine({ ...strict, outputEscape: 'escape' }),
  text: createEngine(strict),
};

/** How both kinds of templates are read. */
export const liquidOptions: Liquid['options'] = engines.text.options;

export type LiquidKind = keyof typeof engines;

/** Where in a template something is, both from 1. */
export interface TemplatePlace {
  readonly line: number;
  readonly column: number;
}

/** Memory for parsed templates of each kind, in bytes, and of one tag or output, roughly. */
const REMEMBERED_BYTES = 64 * 1024 * 1024;
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
  const templates = engines[kind].parse(text);
  parsed[kind].set(text, templates);
  return templates;
}

/** @throws LiquidError, or what a filter throws */
export function renderLiquid(kind: LiquidKind, text: string, variables: Record<string, unknown>): string {
  const engine = engines[kind];
  const renderLimit = stepLimit() as unknown as Context['renderLimit'];
  const context = new Context(variables, engine.options, { sync: true }, { renderLimit, liquid: engine });
  const rendered: unknown = engine.renderSync(parseLiquid(kind, text), context);
  return String(rendered);
}

/** Counts steps, since time alone would refuse a good template while the machine is busy. */
function stepLimit() {
  const deadline = performance.now() + RENDER_MS_MAX;
  let steps = 0;
  return {
    /** liquidjs calls it before each step. */
    check(now: number): void {
      steps += 1;
      if (steps > STEPS_MAX || now > deadline) throw new Error('template render limit exceeded');
    },
  };
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
