import { buildSchema, type GraphQLSchema } from 'graphql';

/** Four subgraphs that each know a part of the same items. */
export const subgraphSdl = {
  catalog: `type Query { items(tag: ID): [Item!] first(tag: ID): Item }
    type Item @key(fields: "id") { id: ID! title: String kind: Kind }
    enum Kind { TEA CUP }`,
  prices: 'type Item @key(fields: "id") { id: ID! price: Int tax: Int! }',
  stock: `type Item @key(fields: "id") { id: ID! stock: Int place: Place }
    type Place { shelf: String! rank: Float }`,
  people: `type Query { viewer: Person }
    type Item @key(fields: "id") { id: ID! maker: Person }
    type Person { id: ID! name: String! }`,
} as const;
export type Name = keyof typeof subgraphSdl;
export const names = Object.keys(subgraphSdl) as Name[];

/** The same graph as a single schema. */
export const wholeSchema: GraphQLSchema = buildSchema(`
  type Query { items(tag: ID): [Item!] first(tag: ID): Item viewer: Person }
  type Item { id: ID! title: String kind: Kind price: Int tax: Int! stock: Int place: Place maker: Person }
  enum Kind { TEA CUP }
  type Place { shelf: String! rank: Float }
  type Person { id: ID! name: String! }
`);

/** A query in which a lost field stays null, and one in which the null propagates. */
export const queries = {
  loose:
    'query ($tag: ID) { items(tag: $tag) { title kind price stock place { rank } maker { name } } viewer { name } }',
  strict:
    'query ($tag: ID) { first(tag: $tag) { id title tax place { shelf rank } maker { name } } viewer { id } }',
} as const;
export type QueryName = keyof typeof queries;

const item = (id: string, index: number) => ({
  __typename: 'Item',
  id,
  title: `Title ${id}`,
  kind: index % 2 ? 'CUP' : 'TEA',
  price: 100 + index,
  tax: 10 + index,
  stock: index,
  place: { shelf: `S${index}`, rank: index + 0.5 },
  maker: { id: `m${index}`, name: `Maker ${index}` },
});
const items = ['i1', 'i2', 'i3'].map(item);

/** The data of all subgraphs together. */
export const facts = { items, first: items[1], viewer: { id: 'v', name: 'Viewer' } };

/** Returns the subgraph of a field; keys and type names come with any answer. */
export function ownerOf(type: string, field: string): Name | null {
  if (field === 'id' || field.startsWith('__')) return null;
  if (type === 'Query') return field === 'viewer' ? 'people' : 'catalog';
  if (type === 'Place') return 'stock';
  if (type === 'Person') return 'people';
  return (
    names.find((name) => new RegExp(`type Item [^{]*{[^}]*\\b${field}:`).test(subgraphSdl[name])) ?? null
  );
}
