import {
  type Effect,
  everything,
  type InjectedFault,
  nothing,
  ofEntities,
  ofLeaves,
  ofObjects,
  type Result,
  sending,
  spoiling,
} from './fault.fixture.ts';

const DEEP = 100_000;
const deeply = (open: string, close: string) => open.repeat(DEEP) + close.repeat(DEEP);
const body = (name: string, effect: Effect, text: (text: string) => string | Buffer): InjectedFault =>
  sending(name, effect, text);

/** Faults in which the body is not a result. */
export const bodyFaults: readonly InjectedFault[] = [
  body('an empty body', everything, () => ''),
  body('the body null', everything, () => 'null'),
  body('a number for a body', everything, () => '5'),
  body('a text for a body', everything, () => '"data"'),
  body('a list for a body', everything, (text) => `[${text}]`),
  body('an object of nothing', everything, () => '{}'),
  body('half a body', everything, (text) => text.slice(0, text.length / 2)),
  body('a body with more behind it', everything, (text) => `${text}}`),
  body('a body twice', everything, (text) => `${text}\n${text}`),
  body('a body without quotes', everything, (text) => text.replaceAll('"', "'")),
  body('NaN', everything, () => '{"data":NaN}'),
  body('a body of brackets', everything, () => deeply('[', ']')),
  body('deep data', everything, () => `{"data":${deeply('[', ']')}}`),
  body('bytes that are no UTF-8', everything, (text) =>
    Buffer.from(text.replace('"data"', '"\xff":1,"data"'), 'latin1'),
  ),
  body('a mark before the body', nothing, (text) => `\ufeff${text}`),
  body('data twice, the last one right', nothing, (text) => text.replace('{', '{"data":{"items":5},')),
  body('a number that no computer has', nothing, (text) => text.replace('{', '{"extensions":{"n":1e999},')),
  body('deep extensions', nothing, (text) => text.replace('{', `{"extensions":${deeply('[', ']')},`)),
];

const errors = (name: string, value: unknown): InjectedFault =>
  spoiling(`errors: ${name}`, nothing, (result) => ({ ...result, errors: value }), 'added');
const error = (name: string, value: object): InjectedFault => errors(name, [{ message: 'No.', ...value }]);

/** Wrong values of `errors`, together with right data. */
export const errorFaults: readonly InjectedFault[] = [
  errors('[null]', [null]),
  errors('{}', {}),
  errors('a number', 5),
  errors('a text', 'text'),
  errors('[{}]', [{}]),
  errors('a number and a text', [1, 'x']),
  errors('a number for a message', [{ message: 5 }]),
  errors('a list in the list', [[{ message: 'No.' }]]),
  errors(
    'five thousand',
    Array.from({ length: 5_000 }, () => ({ message: 'No.' })),
  ),
  error('an entity that was not asked for', { path: ['_entities', 99] }),
  error('a path to nothing', { path: ['nothing', 0, 'at', 'all'] }),
  error('a path that is a text', { path: 'items' }),
  error('extensions that are a text', { extensions: 'text' }),
  error('a status of our own', { extensions: { http: { status: 999, headers: 5 } } }),
  spoiling('errors: none, and no data', everything, () => ({ errors: [] })),
  spoiling('errors: null, beside data', nothing, (result) => ({ ...result, errors: null })),
];

/** Changes answers about entities, but not those of root fields. */
const entities = (
  name: string,
  effect: Effect,
  change: (list: Result[]) => unknown,
  errors?: 'none',
): InjectedFault =>
  spoiling(
    `entities: ${name}`,
    effect,
    (result) => {
      const list = result.data?._entities;
      return list ? { ...result, data: { _entities: change(list) } } : result;
    },
    errors,
  );

type Change = (value: unknown, name: string) => unknown;

/** Changes every value except keys and type names, children first. */
function changed(value: unknown, leaf: Change, object: Change, name = ''): unknown {
  if (Array.isArray(value)) return value.map((each) => changed(each, leaf, object, name));
  if (typeof value !== 'object' || value === null) return isKey(name) ? value : leaf(value, name);
  const fields = Object.entries(value).map(([key, inner]) => {
    const spoiled = changed(inner, leaf, object, key);
    const isObject = typeof inner === 'object' && key !== '_entities';
    return [key, isObject ? object(spoiled, key) : spoiled] as const;
  });
  return Object.fromEntries(fields);
}

const isKey = (name: string) => name === 'id' || name === '__typename';
const keep: Change = (value) => value;
const values = (name: string, effect: Effect, leaf: Change, object: Change = keep): InjectedFault =>
  spoiling(`values: ${name}`, effect, ({ data }) => ({ data: changed(data, leaf, object) }));
const of =
  (type: string, value: (was: never) => unknown): Change =>
  (was) =>
    typeof was === type ? value(was as never) : was;

const integers = ['price', 'tax', 'stock'];
const ofIntegers =
  (value: (was: number) => number): Change =>
  (was, name) =>
    integers.includes(name) ? value(was as number) : was;
const texts = ['title', 'kind', 'shelf', 'name'];

/** Faults in which the data does not match the request. */
export const dataFaults: readonly InjectedFault[] = [
  spoiling('data: null', everything, () => ({ data: null })),
  spoiling('data: a number', everything, () => ({ data: 5 })),
  spoiling('data: a text', everything, () => ({ data: 'text' })),
  spoiling('data: a list', everything, ({ data }) => ({ data: [data] })),
  entities('null', ofEntities('fails'), () => null),
  entities('an object', ofEntities('fails'), (list) => ({ ...list })),
  entities('too few', ofEntities('fails'), (list) => list.slice(1)),
  entities('too many', ofEntities('fails'), (list) => [...list, list[0]]),
  entities('numbers', ofEntities('fails'), (list) => list.map(() => 5)),
  entities('lists', ofEntities('fails'), (list) => list.map((each) => [each])),
  entities('of another type', ofEntities('fails'), (list) =>
    list.map((each) => ({ ...each, __typename: 'Person' })),
  ),
  entities('of no type', ofEntities('fails'), (list) =>
    list.map((each) => ({ ...each, __typename: 'Ghost' })),
  ),
  entities('nobody knows them', ofEntities('null'), (list) => list.map(() => null), 'none'),
  values('nulls', ofLeaves('null'), () => null),
  values('objects', ofLeaves('fails'), () => ({ a: 1 })),
  values('lists', ofLeaves('fails'), (was) => [was]),
  values('deep lists', ofLeaves('fails'), () => JSON.parse(deeply('[', ']').slice(DEEP - 900, DEEP + 900))),
  values('texts for numbers', ofLeaves('fails', [...integers, 'rank']), of('number', String)),
  values(
    'numbers for texts',
    ofLeaves('fails', texts),
    of('string', () => 5),
  ),
  values('unknown values of enums', ofLeaves('fails', ['kind']), (was, name) =>
    name === 'kind' ? 'POT' : was,
  ),
  values(
    'fractions',
    ofLeaves('fails', integers),
    ofIntegers((was) => was + 0.25),
  ),
  values(
    'huge integers',
    ofLeaves('fails', integers),
    ofIntegers(() => 2 ** 40),
  ),
  values('numbers for objects', ofObjects, keep, () => 5),
  values('texts for objects', ofObjects, keep, () => 'text'),
  values('objects for lists, lists for objects', ofObjects, keep, (was) =>
    Array.isArray(was) ? { ...was } : [was],
  ),
  values('more than was asked for', nothing, keep, (was) =>
    Array.isArray(was)
      ? was
      : { ...(was as object), more: 1, __proto__x: 1, toString: 5, constructor: { a: 1 } },
  ),
  {
    ...body('values: prototypes', nothing, (text) =>
      text.replaceAll('{"', '{"__proto__":{"price":1,"name":"x"},"'),
    ),
  },
];
