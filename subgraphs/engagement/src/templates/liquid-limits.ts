import {
  CaseTag,
  type Context,
  defaultOperators,
  type Emitter,
  type FilterImplOptions,
  filters,
  type Liquid,
  type Operators,
  toValue,
} from 'liquidjs';

/** Limits of one part of a message. A time limit alone would refuse a good template on a busy machine. */
const RENDER_MS_MAX = 1_000;
/** Tags, outputs and texts that are rendered. */
const STEPS_MAX = 200_000;
/** Approximate number of characters and items that filters and comparisons process. */
const WORK_MAX = 30_000_000;
/** Characters that outputs and texts print, including prints into variables. */
const PRINTED_MAX = 8 * 1024 * 1024;

/** The resources that a rendering has used. Replaces the limit of liquidjs, which only limits time. */
export interface RenderLimits {
  /** Called by liquidjs before each step. */
  check(now: number): void;
  /** Called before a filter or a comparison. */
  work(cost: number): void;
  print(characters: number): void;
  /** Characters and items of a value on all levels. A value that occurs twice counts twice. */
  sizeOf(value: unknown): number;
}

export function createLimits(): RenderLimits {
  const deadline = performance.now() + RENDER_MS_MAX;
  const sizes = new WeakMap<object, number>();
  const used = { steps: 0, work: 0, printed: 0 };
  const use = (what: keyof typeof used, count: number, max: number): void => {
    used[what] += count;
    // Written so that NaN exceeds the limit.
    if (!(used[what] <= max) || performance.now() > deadline) throw new Error('template limit exceeded');
  };
  function sizeOf(value: unknown): number {
    if (typeof value === 'string') return value.length + 1;
    if (typeof value !== 'object' || value === null) return 1;
    const known = sizes.get(value);
    if (known !== undefined) return known;
    // A value that contains itself is infinite.
    sizes.set(value, Number.POSITIVE_INFINITY);
    let size = 1;
    const isList = Array.isArray(value);
    if (isList) for (const item of value) size += sizeOf(item);
    else for (const [key, item] of Object.entries(value)) size += key.length + sizeOf(item);
    sizes.set(value, size);
    return size;
  }
  return {
    check: () => use('steps', 1, STEPS_MAX),
    work: (cost) => use('work', cost, WORK_MAX),
    print: (characters) => use('printed', characters, PRINTED_MAX),
    sizeOf,
  };
}

const limitsOf = (context: Context): RenderLimits => context.renderLimit as unknown as RenderLimits;

/** Limits the cost of the filters, comparisons and outputs of an engine. */
export function limitEngine(engine: Liquid): void {
  // The `_exp` filters are removed: they evaluate an expression for each item, and the expression can do so
  // again.
  for (const name of Object.keys(engine.filters)) {
    if (name.endsWith('_exp')) delete engine.filters[name];
    else engine.filters[name] = limitFilter(name, engine.filters[name]!);
  }
  const { renderer } = engine;
  const render = renderer.renderTemplates.bind(renderer);
  renderer.renderTemplates = (templates, context, emitter = limitedEmitter(limitsOf(context))) =>
    render(templates, context, emitter);
}

/** Filters with a constant cost. */
const CONSTANT: ReadonlySet<string> = new Set(['default', 'first', 'last', 'raw', 'size']);
/** Filters that read a property of each item, and may compare it with a value. */
const PER_ITEM: ReadonlySet<string> = new Set(
  'find find_index group_by has map reject sort sort_natural sum where'.split(' '),
);
const SORTING: ReadonlySet<string> = new Set(['sample', 'sort', 'sort_natural']);
/** Filters that search for a text in another text, in the worst case at each position. */
const SEARCHING: ReadonlySet<string> = new Set(
  'remove remove_first remove_last replace replace_first replace_last split'.split(' '),
);
/** Characters that one step of a search compares. */
const COMPARED = 64;

function limitFilter(name: string, filter: FilterImplOptions): FilterImplOptions {
  if (CONSTANT.has(name)) return filter;
  const { handler, raw } = typeof filter === 'function' ? { handler: filter, raw: false } : filter;
  const limited: typeof handler = function limited(value: unknown, ...given: unknown[]) {
    const limits = limitsOf(this.context);
    limits.work(costOf(name, limits, value, given));
    return handler.call(this, value, ...given);
  };
  return raw ? { handler: limited, raw } : limited;
}

function costOf(name: string, { sizeOf }: RenderLimits, value: unknown, given: readonly unknown[]): number {
  const size = sizeOf(value);
  const givenSize = sizeOf(given);
  let cost = size + givenSize;
  if (PER_ITEM.has(name)) cost += itemsOf(value) * givenSize;
  if (SEARCHING.has(name)) cost += searchCost(size, sizeOf(given[0]));
  return SORTING.has(name) ? 2 * cost * Math.log2(size + 1) : cost;
}

const searchCost = (size: number, ofText: number): number => (size * ofText) / COMPARED;

function itemsOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Array.isArray(value) ? value.length : Object.keys(value).length;
}

/** Escapes printed values in HTML. */
export const limitedEscape = limitFilter('escape', filters['escape']!) as (value: unknown) => string;

/** Operators that only check whether there is a value. */
const LOGICAL: ReadonlySet<string> = new Set(['and', 'not', 'or']);

/** The operators of liquidjs, with limits. */
export const limitedOperators: Operators = Object.fromEntries(
  Object.entries(defaultOperators).map(([name, operator]) => {
    if (LOGICAL.has(name)) return [name, operator];
    const compare = operator as (
      left: unknown,
      right: unknown,
      context: Context,
    ) => ReturnType<typeof operator>;
    return [
      name,
      (left: unknown, right: unknown, context: Context) => {
        const limits = limitsOf(context);
        limits.work(comparisonCost(name, limits.sizeOf(left), limits.sizeOf(right)));
        return compare(left, right, context);
      },
    ];
  }),
);

function comparisonCost(name: string, left: number, right: number): number {
  if (name === 'contains') return left + searchCost(left, right);
  // Equality compares at most the smaller value. Other operators compare both as text.
  return name === '==' || name === '!=' ? Math.min(left, right) : left + right;
}

const { render: renderCase } = CaseTag.prototype;

/** `case` compares its value with many others. */
CaseTag.prototype.render = function* render(context, emitter) {
  const value = yield this.value.value(context, true);
  const compared = this.branches.reduce((count, { values }) => count + values.length, 1);
  const limits = limitsOf(context);
  limits.work(limits.sizeOf(value) * compared);
  yield* renderCase.call(this, context, emitter);
};

const limitedEmitter = (limits: RenderLimits): Emitter => ({
  buffer: '',
  write(value: unknown) {
    limits.work(typeof value === 'string' ? 1 : limits.sizeOf(value));
    const text = textOf(value);
    limits.print(text.length);
    this.buffer += text;
  },
});

/** Returns a value as liquidjs prints it. */
function textOf(value: unknown): string {
  const plain: unknown = toValue(value);
  if (plain === null || plain === undefined) return '';
  return Array.isArray(plain) ? plain.map(textOf).join('') : String(plain);
}
