import {
  type ASTNode,
  type DocumentNode,
  Kind,
  Lexer,
  parse,
  print,
  Source,
  TokenKind,
  visit,
} from 'graphql';

/** Picks a whole number from 0 to `limit - 1`. */
export type Pick = (limit: number) => number;

/**
 * Changes the text of an operation in one place. The result is seldom valid, but always similar to a valid
 * operation.
 */
export type Mutation = (text: string, pick: Pick, pool: readonly string[]) => string;

/** The text of every token of a document. */
export function tokensOf(text: string): string[] {
  const lexer = new Lexer(new Source(text));
  const tokens: string[] = [];
  try {
    for (let token = lexer.advance(); token.kind !== TokenKind.EOF; token = lexer.advance())
      tokens.push(text.slice(token.start, token.end));
  } catch {
    return text.split(/\s+/);
  }
  return tokens;
}

/** Replaces, repeats, swaps, drops or inserts a token. */
const changeToken: Mutation = (text, pick, pool) => {
  const tokens = tokensOf(text);
  const at = pick(tokens.length);
  const other = pool[pick(pool.length)]!;
  const change = [
    () => tokens.splice(at, 1, other),
    () => tokens.splice(at, 1),
    () => tokens.splice(at, 0, tokens[at] ?? ''),
    () => tokens.splice(at, 0, other),
    () => tokens.splice(pick(tokens.length), 1, ...tokens.splice(at, 1)),
  ];
  change[pick(change.length)]!();
  return tokens.join(' ');
};

const CONDITIONS = ['@skip(if: $flag)', '@include(if: $flag)', '@include(if: false)', '@skip(if: true)'];
const WRAPPERS = ['...', '... on Query', '... on Member', '... on Node', '...F', '... @defer'];
const FIELDS = [
  '__typename',
  '__schema { types { name } }',
  '__type(name: "Member") { isOneOf fields { name } }',
  'viewer { workspace { id } }',
  '_service { sdl }',
  '_entities(representations: []) { __typename }',
];
const ALIASES = ['__proto__', 'constructor', 'toString', '__typename', 'data', 'reply', 'a', 'then'];
const VALUES = [
  'null',
  '$flag',
  '[[[]]]',
  '{}',
  '-1',
  '99999999999999999999',
  '1e999',
  '""',
  '"\\u0000"',
  'RED',
  '"""block"""',
  '{ __proto__: 1 }',
];

type Fragment = 'FIELD' | 'ARGUMENT' | 'OPERATION' | 'VARIABLE';

const kinds: Readonly<Record<Fragment, string>> = {
  FIELD: Kind.FIELD,
  ARGUMENT: Kind.ARGUMENT,
  OPERATION: Kind.OPERATION_DEFINITION,
  VARIABLE: Kind.VARIABLE_DEFINITION,
};

/** Rewrites the text of one randomly chosen node of a kind. */
function rewrite(text: string, kind: Fragment, pick: Pick, change: (written: string) => string): string {
  const document = parsed(text);
  if (!document) return text;
  const places: (readonly [start: number, end: number])[] = [];
  visit(document, {
    enter(node: ASTNode) {
      if (node.kind === kinds[kind] && node.loc) places.push([node.loc.start, node.loc.end]);
    },
  });
  const place = places[pick(places.length)];
  if (!place) return text;
  return text.slice(0, place[0]) + change(text.slice(...place)) + text.slice(place[1]);
}

function parsed(text: string): DocumentNode | null {
  try {
    return parse(text);
  } catch {
    return null;
  }
}

const oneOf = (list: readonly string[], pick: Pick): string => list[pick(list.length)]!;

/** Adds `$flag` to the variables of an operation. */
const withFlag = (text: string): string => {
  const document = parsed(text);
  if (!document) return text;
  return print(
    visit(document, {
      OperationDefinition(node) {
        const [flag] = (parse('query ($flag: Boolean!) { a }').definitions[0] as typeof node)
          .variableDefinitions!;
        const given = node.variableDefinitions ?? [];
        if (given.some(({ variable }) => variable.name.value === 'flag')) return undefined;
        return { ...node, variableDefinitions: [...given, flag!] };
      },
    }),
  );
};

const beforeSelection = (written: string, directive: string): string => {
  const brace = written.indexOf('{');
  return brace < 0
    ? `${written} ${directive}`
    : `${written.slice(0, brace)}${directive} ${written.slice(brace)}`;
};

const addCondition: Mutation = (text, pick) =>
  withFlag(rewrite(text, 'FIELD', pick, (field) => beforeSelection(field, oneOf(CONDITIONS, pick))));

const wrapField: Mutation = (text, pick) =>
  withFlag(
    rewrite(text, 'FIELD', pick, (field) => {
      const wrapper = oneOf(WRAPPERS, pick);
      const condition = pick(2) === 0 ? '' : oneOf(CONDITIONS, pick);
      return wrapper === '...F' ? `${field} ...F` : `${wrapper} ${condition} { ${field} }`;
    }),
  );

const addField: Mutation = (text, pick) =>
  rewrite(text, 'FIELD', pick, (field) => `${field} ${oneOf(FIELDS, pick)}`);

const replaceField: Mutation = (text, pick) => rewrite(text, 'FIELD', pick, () => oneOf(FIELDS, pick));

const aliasField: Mutation = (text, pick) =>
  rewrite(text, 'FIELD', pick, (field) => `${oneOf(ALIASES, pick)}: ${field.replace(/^\s*\w+\s*:/, '')}`);

const repeatField: Mutation = (text, pick) =>
  rewrite(text, 'FIELD', pick, (field) => `${field} again: ${field.replace(/^\s*\w+\s*:/, '')}`);

const moveToFragment: Mutation = (text, pick) => {
  let moved = '';
  const type = oneOf(['Query', 'Mutation', 'Subscription', 'Member', '__Type'], pick);
  const changed = rewrite(text, 'FIELD', pick, (field) => {
    moved = field;
    return '...F';
  });
  return moved ? `${changed} fragment F on ${type} { ${moved} }` : text;
};

const changeValue: Mutation = (text, pick) =>
  withFlag(
    rewrite(text, 'ARGUMENT', pick, (argument) => `${argument.split(':', 1)[0]}: ${oneOf(VALUES, pick)}`),
  );

const changeVariable: Mutation = (text, pick) =>
  rewrite(text, 'VARIABLE', pick, (variable) =>
    oneOf(
      [
        `${variable} = null`,
        `${variable} = ${oneOf(VALUES, pick)}`,
        variable.replaceAll('!', ''),
        `${variable.split(':', 1)[0]}: [${variable.split(':')[1]}]`,
        '',
      ],
      pick,
    ),
  );

const changeOperation: Mutation = (text, pick) =>
  rewrite(text, 'OPERATION', pick, (operation) => {
    const keyword = oneOf(['query', 'mutation', 'subscription'], pick);
    return operation.replace(/^\s*(query|mutation|subscription)?/, `${keyword} `);
  });

const addOperation: Mutation = (text, pick) =>
  `${text} ${oneOf(['query Other { __typename }', '{ __typename }', 'type Query { a: Int }'], pick)}`;

export const mutations: readonly Mutation[] = [
  changeToken,
  addCondition,
  addCondition,
  wrapField,
  addField,
  replaceField,
  aliasField,
  repeatField,
  moveToFragment,
  changeValue,
  changeVariable,
  changeOperation,
  addOperation,
];
