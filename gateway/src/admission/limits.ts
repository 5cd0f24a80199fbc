import { AppError } from '@loyalty/platform/base/errors';
import { PAGE_SIZE_MAX } from '@loyalty/platform/database/pages';
import { type DocumentNode, type FragmentDefinitionNode, Kind, type SelectionSetNode } from 'graphql';

/** Limits of one operation, checked before it runs. Operations of the REST adapter must keep them, too. */
export const limits = {
  /** Fields on the longest path from the root. */
  depth: 10,
  /** The same for fields below `__schema` and `__type`, because queries of tools are deep there. */
  schemaDepth: 20,
  /** Aliases in the whole document. */
  aliases: 30,
  rootFields: 20,
  /** Fields with all fragments expanded, which is the work of planning and validation. */
  fields: 2_000,
  /** Maximum occurrences of one field, because validation compares them in pairs. */
  repeats: 200,
  tokens: 2_000,
  /** Cost by the rules of `@cost` and `@listSize`; see cost.ts. */
  cost: 5_000,
  /** Maximum items of one page. */
  pageSize: PAGE_SIZE_MAX,
  bodyBytes: 256 * 1024,
  /**
   * Added to every size limit, because a REST body of maximum size reaches the graph together with its
   * document.
   */
  documentBytes: 4 * 1024,
  /** Limit for a request with bytes; 5 MiB are 6.7 MiB as base64. */
  uploadBytes: 7 * 1024 * 1024,
  /**
   * Limit for a request with the text of a file; 5 MiB grow in JSON, where quotes and line ends are escaped.
   */
  fileTextBytes: 12 * 1024 * 1024,
} as const;

type Bound = 'depth' | 'schemaDepth' | 'aliases' | 'rootFields' | 'fields' | 'repeats';
const boundNames: Readonly<Record<Bound, string>> = {
  depth: 'levels of depth',
  schemaDepth: 'levels of depth below the schema',
  aliases: 'aliases',
  rootFields: 'root fields',
  fields: 'fields',
  repeats: 'uses of one field',
};
const bounds = Object.keys(boundNames) as Bound[];

/** Size of a selection set with its fragments expanded. */
interface Extent {
  readonly depth: number;
  readonly schemaDepth: number;
  /** Number of its direct fields. */
  readonly width: number;
  /** Number of its fields at all levels. */
  readonly fields: number;
}

interface Survey {
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** Sizes by fragment name; null while a fragment is being measured. */
  readonly measured: Map<string, Extent | null>;
  /** Number of occurrences of each field, by response name. */
  readonly uses: Map<string, number>;
  aliases: number;
  cycle: string | null;
}

const NOTHING: Extent = { depth: 0, schemaDepth: 0, width: 0, fields: 0 };
/** Maximum of sums. */
const MANY = 1_000_000;

/**
 * Returns the refusal of a parsed document that exceeds a limit; otherwise null. This check runs before
 * validation and planning, whose time grows faster than the document. Its own time is proportional to the
 * document.
 */
export function documentRefusal(document: DocumentNode): AppError | null {
  const found = survey(document);
  if (found.cycle !== null) {
    return new AppError('BAD_USER_INPUT', 'OPERATION_INVALID', `The fragment ${found.cycle} spreads itself.`);
  }
  const broken = bounds.find((name) => found.bounds[name] > limits[name]);
  if (!broken) return null;
  const count = found.bounds[broken] >= MANY ? 'endlessly many' : found.bounds[broken];
  const excess = `This operation has ${count} ${boundNames[broken]}, at most ${limits[broken]} are allowed.`;
  return new AppError('BAD_USER_INPUT', 'OPERATION_TOO_LARGE', `${excess} Split it up.`);
}

function survey({ definitions }: DocumentNode): { cycle: string | null; bounds: Record<Bound, number> } {
  const fragments = definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  const state: Survey = {
    fragments: new Map(fragments.map((fragment) => [fragment.name.value, fragment])),
    measured: new Map(),
    uses: new Map(),
    aliases: 0,
    cycle: null,
  };
  // Unused fragments are measured, too, because they are validated. They may select from schema or data.
  const alone = fragments.map(({ name }): Extent => {
    const { depth, schemaDepth, fields } = extentOfFragment(name.value, state);
    return { ...NOTHING, schemaDepth: Math.max(depth, schemaDepth), fields };
  });
  const operations = definitions
    .filter((definition) => definition.kind === Kind.OPERATION_DEFINITION)
    .map(({ selectionSet }) => extentOf(selectionSet, state));
  const extents = [...operations, ...alone];
  const most = (name: keyof Extent): number =>
    extents.reduce((max, extent) => Math.max(max, extent[name]), 0);
  return {
    cycle: state.cycle,
    bounds: {
      depth: most('depth'),
      schemaDepth: most('schemaDepth'),
      aliases: state.aliases,
      rootFields: most('width'),
      fields: most('fields'),
      repeats: Math.max(0, ...state.uses.values()),
    },
  };
}

function extentOf({ selections }: SelectionSetNode, state: Survey): Extent {
  let { depth, schemaDepth, width, fields } = NOTHING;
  for (const selection of selections) {
    let inner: Extent;
    if (selection.kind === Kind.FRAGMENT_SPREAD) inner = extentOfFragment(selection.name.value, state);
    else if (selection.kind === Kind.INLINE_FRAGMENT) inner = extentOf(selection.selectionSet, state);
    else {
      const { name, alias, selectionSet } = selection;
      if (alias) state.aliases += 1;
      const key = (alias ?? name).value;
      state.uses.set(key, (state.uses.get(key) ?? 0) + 1);
      inner = below(name.value, selectionSet ? extentOf(selectionSet, state) : NOTHING);
    }
    depth = Math.max(depth, inner.depth);
    schemaDepth = Math.max(schemaDepth, inner.schemaDepth);
    width = Math.min(MANY, width + inner.width);
    fields = Math.min(MANY, fields + inner.fields);
  }
  return { depth, schemaDepth, width, fields };
}

/** Returns the size of a field together with its selections. */
function below(name: string, { depth, schemaDepth, fields }: Extent): Extent {
  const isSchema = name === '__schema' || name === '__type';
  return {
    depth: isSchema ? 1 : depth + 1,
    schemaDepth: isSchema ? Math.max(depth, schemaDepth) + 1 : schemaDepth,
    width: 1,
    fields: fields + 1,
  };
}

/** Measures each fragment once, however often it is spread. */
function extentOfFragment(name: string, state: Survey): Extent {
  const known = state.measured.get(name);
  if (known) return known;
  const fragment = state.fragments.get(name);
  if (!fragment) return NOTHING;
  if (known === null) {
    state.cycle ??= name;
    return NOTHING;
  }
  state.measured.set(name, null);
  const extent = extentOf(fragment.selectionSet, state);
  state.measured.set(name, extent);
  return extent;
}
