import type { DefinitionNode, FieldDefinitionNode, InputValueDefinitionNode, StringValueNode } from 'graphql';
import type { Project, Rule, SourceFile } from './project.ts';
import { at, type Placed, wholeSdlIn } from './sdl.ts';

const roots = ['Query', 'Mutation', 'Subscription'];

/** A part of the graph that needs a description for clients. */
interface Element {
  /** Its coordinate: `Member`, `Member.status`, `Query.member(id:)` or `MemberStatus.ACTIVE`. */
  readonly name: string;
  readonly file: SourceFile;
  readonly node: Placed;
  readonly description: string | null;
}

type Described = Placed & { readonly description?: StringValueNode | undefined };

const elementsIn = (project: Project): Element[] =>
  wholeSdlIn(project).flatMap(({ file, definitions }) =>
    definitions.flatMap((definition) =>
      namesIn(definition).map(([name, node]) => ({
        name,
        file,
        node,
        description: node.description?.value ?? null,
      })),
    ),
  );

type Named = readonly [name: string, node: Described];

/** A definition and its parts. Extensions and root types have no description of their own. */
function namesIn(definition: DefinitionNode): Named[] {
  if (!('name' in definition) || !definition.name) return [];
  const { value } = definition.name;
  if (definition.kind === 'DirectiveDefinition')
    return [[`@${value}`, definition], ...argumentsOf(`@${value}`, definition.arguments)];
  const isOwn = !definition.kind.endsWith('Extension') && !roots.includes(value);
  return [
    ...(isOwn ? [[value, definition] as Named] : []),
    ...fieldsIn(definition).flatMap((field) => fieldOf(value, field)),
    ...('values' in definition
      ? (definition.values ?? []).map((one): Named => [`${value}.${one.name.value}`, one])
      : []),
  ];
}

type Field = FieldDefinitionNode | InputValueDefinitionNode;

const fieldsIn = (definition: DefinitionNode): readonly Field[] =>
  'fields' in definition ? (definition.fields ?? []) : [];

function fieldOf(type: string, field: Field): Named[] {
  const name = `${type}.${field.name.value}`;
  return [[name, field], ...('arguments' in field ? argumentsOf(name, field.arguments) : [])];
}

const argumentsOf = (owner: string, args: readonly InputValueDefinitionNode[] = []): Named[] =>
  args.map((argument) => [`${owner}(${argument.name.value}:)`, argument]);

/** One description is enough when several subgraphs define the same element, because composition keeps it. */
export const described: Rule = {
  name: 'Every element of the graph is described',
  check: (project) =>
    [...Map.groupBy(elementsIn(project), ({ name }) => name).values()].flatMap((same) => {
      const [first] = same;
      if (!first || same.some(({ description }) => description?.trim())) return [];
      return [at(first.file, first.node, `${first.name}: say what it is, its unit and when it is null`)];
    }),
};

const fillers = new Set(
  'a an the of its this that it is are be for in on at to and or by with which whose'.split(' '),
);

/**
 * The words of a text or name: `pointsBalance`, `POINTS_BALANCE` and `balances of points` have the same
 * words.
 */
const wordsOf = (text: string): string[] =>
  text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .map((word) => word.replace(/(?<=..)s$/, ''))
    .filter((word) => word !== '' && !fillers.has(word));

export const sayMore: Rule = {
  name: 'A description says more than the name',
  check: (project) =>
    elementsIn(project).flatMap(({ name, file, node, description }) => {
      if (description === null) return [];
      const known = new Set(wordsOf(name));
      return wordsOf(description).every((word) => known.has(word))
        ? [at(file, node, `${name}: “${description}” repeats the name`)]
        : [];
    }),
};

/** The descriptions of the arguments of lists that clients read by cursor from either end. */
const PAGE_ARGUMENTS: Readonly<Record<string, RegExp>> = {
  first: /^Items on the page, at most [\d,]+\. Default: [\d,]+\.$/,
  after: /^Reads on after this cursor: `endCursor` of the page before\.$/,
  last: /^Reads backward: the items before `before`, or the last ones of the list\. At most [\d,]+\.$/,
  before: /^Reads back from this cursor: `startCursor` of the page after\.$/,
  offset: /^Items to skip, at most 10,000,000\. Only for reading forward without a cursor\.$/,
};

/** The descriptions of the fields of connections and their edges. */
const PAGE_FIELDS: Readonly<Record<string, RegExp>> = {
  nodes: /^The items of this page, in the order of the list\.$/,
  edges: /^The same items as `nodes`, each with its cursor\.$/,
  pageInfo: /^Whether other pages follow or precede, and the cursors that lead there\.$/,
  totalCount: /^Items of the whole list, on all pages\. Counted only when selected\.$/,
  cursor: /^The place of the item in the list, for `after` and `before`\. Opaque\.$/,
  node: /^The item itself\.$/,
};

export const pages: Rule = {
  name: 'The pages of lists are described in the same words everywhere',
  check: (project) =>
    wholeSdlIn(project).flatMap(({ file, definitions }) =>
      definitions.flatMap(partsOfPages).flatMap(({ part, words }) => {
        const { name, description } = part;
        if (!words || words.test(description?.value ?? '')) return [];
        return [at(file, part, `${name.value}: describe it as other lists do`)];
      }),
    ),
};

interface PartOfPage {
  readonly part: Field;
  /** The description that this part must have in every list; undefined if it may differ. */
  readonly words: RegExp | undefined;
}

function partsOfPages(definition: DefinitionNode): PartOfPage[] {
  const fields = fieldsIn(definition);
  const isPage = 'name' in definition && /(Connection|Edge)$/.test(definition.name?.value ?? '');
  const paged = fields
    .flatMap((field) => ('arguments' in field ? [field.arguments ?? []] : []))
    .filter((args) => args.some(({ name }) => name.value === 'before'));
  return [
    ...(isPage ? fields.map((part) => ({ part, words: PAGE_FIELDS[part.name.value] })) : []),
    ...paged.flat().map((part) => ({ part, words: PAGE_ARGUMENTS[part.name.value] })),
  ];
}

export const scalars: Rule = {
  name: 'Every scalar names its specification with @specifiedBy',
  check: (project) =>
    wholeSdlIn(project).flatMap(({ file, definitions }) =>
      definitions.flatMap((definition) => {
        if (definition.kind !== 'ScalarTypeDefinition') return [];
        const isSpecified = definition.directives?.some(({ name }) => name.value === 'specifiedBy');
        return isSpecified ? [] : [at(file, definition, `${definition.name.value} has no @specifiedBy`)];
      }),
    ),
};
