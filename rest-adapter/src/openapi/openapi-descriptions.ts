import { type GraphQLEnumType, type GraphQLSchema, isEnumType } from 'graphql';
import { hasCodeValues } from '../reply.ts';

/**
 * Turns descriptions of the SDL into descriptions for REST. It removes clauses that only clients of the graph
 * need: clauses about selections, cursors, mutations or the graph itself, and clauses with a field, in
 * backticks, that REST does not have. It writes enum values in lower case, as REST does.
 */
export function restDescriptions(schema: GraphQLSchema, document: object): (text: string) => string {
  const values = enumValuesOf(schema);
  const names = namesIn(document);
  const isOfGraph = (clause: string) =>
    GRAPH_TERMS.test(clause) || [...clause.matchAll(FIELD)].some(([, name]) => !names.has(name!));
  const spelled = (text: string, quote: string) =>
    text.replace(VALUE, (value) => (values.has(value) ? quote + value.toLowerCase() + quote : value));
  const isCode = (part: string) => part.startsWith('`');
  return (text) =>
    withoutClauses(text, isOfGraph)
      .split(CODE)
      .map((part) => spelled(part, isCode(part) ? '' : '`'))
      .join('');
}

const GRAPH_TERMS = /\b(select(ed|ion)|cursors?|mutations?|subscribe to|the graph|GraphQL)\b|`\w+\(/i;
/** A camelCase name of at least two words, in backticks. */
const FIELD = /`([a-z]+[A-Z][A-Za-z]*)`/g;
const CODE = /(`[^`]*`)/;
const VALUE = /(?<![-_])\b[A-Z]{2,}(?:_[A-Z]+)*\b(?![-_])/g;
/** A sentence ends with a full stop before a space. A full stop in code or in 12.50 does not end it. */
const SENTENCE = /(?:`[^`]*`|\.(?=\S)|[^.])+\.?/g;

/** Enum values that are also ordinary acronyms. They stay in upper case. */
const ACRONYMS = ['API', 'CSV', 'JSON', 'NDJSON', 'URL', 'QR'];

function enumValuesOf(schema: GraphQLSchema): Set<string> {
  const enums = Object.values(schema.getTypeMap()).filter(isEnumType);
  const namesOf = (types: readonly GraphQLEnumType[]) =>
    types.flatMap((type) => type.getValues().map(({ name }) => name));
  const kept = [...ACRONYMS, ...namesOf(enums.filter(hasCodeValues))];
  return new Set(namesOf(enums).filter((name) => !kept.includes(name)));
}

/**
 * Removes clauses from a text. If the first clause of a sentence is removed, the whole sentence is removed.
 */
function withoutClauses(text: string, isLeftOut: (clause: string) => boolean): string {
  const sentences = (text.match(SENTENCE) ?? []).map((sentence) => {
    const [first = '', ...others] = sentence.split(/;(?=\s)/);
    if (isLeftOut(first)) return '';
    const kept = [first, ...others.filter((clause) => !isLeftOut(clause))].join(';');
    return /[.]$/.test(sentence) && !kept.endsWith('.') ? `${kept}.` : kept;
  });
  return sentences.join('').trim();
}

/** Returns the names of all parameters and body fields in a document. */
function namesIn(value: unknown, names = new Set<string>()): Set<string> {
  if (typeof value !== 'object' || value === null) return names;
  const { name, properties } = value as { name?: unknown; properties?: unknown };
  if (typeof name === 'string') names.add(name);
  if (typeof properties === 'object') for (const key of Object.keys(properties ?? {})) names.add(key);
  for (const inner of Object.values(value)) namesIn(inner, names);
  return names;
}

/** Rewrites every description and summary of a document. Examples do not change. */
export function withDescriptions<Part>(part: Part, rewrite: (text: string) => string): Part {
  if (Array.isArray(part)) return part.map((one) => withDescriptions(one, rewrite)) as Part;
  if (typeof part !== 'object' || part === null) return part;
  const entries = Object.entries(part).flatMap(([key, value]): [string, unknown][] => {
    if (key === 'example' || key === 'examples') return [[key, value]];
    if (typeof value !== 'string' || (key !== 'description' && key !== 'summary'))
      return [[key, withDescriptions(value, rewrite)]];
    const text = rewrite(value);
    return text === '' ? [] : [[key, text]];
  });
  return Object.fromEntries(entries) as Part;
}

/** Descriptions of the tags, which are the nouns of paths, in a good order for new readers. */
export const tagDescriptions: Readonly<Record<string, string>> = {
  auth: 'Accounts of people who work with the platform: registering, signing in, the own profile.',
  'api-keys': 'Keys of integrations, with their scopes. A secret is shown once.',
  members: 'The people of the programme: enrolling them, their points, tier, coupons, tags and consents.',
  session: 'How members themselves sign in, by a code or a link.',
  stores: 'The places where members buy.',
  coupons: 'Pools of coupons; issuing a coupon and redeeming it.',
  orders: 'Purchases. They earn points by the rules of the programme, and refunds take these back.',
  captures: 'Photos of receipts, as they were sent in.',
  products: 'What is sold.',
  categories: 'Groups of products.',
  brands: 'Makers of products.',
  catalog: 'Files of products and stores, read in the background.',
  'custom-fields': 'Fields that the workspace adds to its members.',
  tags: 'Marks of members, such as `vip`.',
  objects: 'Types of things that the workspace defines, such as bikes, and their records.',
  segments: 'Members who meet conditions, now and from now on.',
  campaigns: 'Messages to segments, and the figures of journeys. REST drafts; a person launches.',
  automations: 'What happens by itself when something else has happened.',
  transactional: 'Single messages that a member waits for, such as a receipt.',
  'web-push': 'Browsers of signed-in members that take messages.',
  lbs: 'Members near a store.',
  ambassador: 'Members who bring others.',
  webhooks: 'Addresses that get events as they happen, signed.',
  events: 'Every event that webhooks can carry.',
  tracking: 'What visitors do on websites.',
  'test-data': 'What test keys wrote; live data is never touched.',
  'agent-runs': 'What AI agents did, step by step.',
  data: 'Facts that analyses rest on: members, orders and events are previewed, then confirmed.',
  capabilities: 'Analyses of members, called by name.',
  'member-states': 'The latest state of every member, as bulk jobs keep it.',
  'bulk-jobs': 'Refreshing the states of all members in the background.',
  training: 'Own models: samples, training, reports, their review and publication.',
  alignment: 'Own corrections of the standard model, from past outcomes.',
};
