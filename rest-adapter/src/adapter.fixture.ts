import { anonymous, type Caller } from '@loyalty/platform/base/caller';
import { unauthenticated } from '@loyalty/platform/base/errors';
import { scalars } from '@loyalty/platform/graph/scalars';
import { namedPlugin } from '@loyalty/platform/http/named-plugin';
import { boundBodies } from '@loyalty/platform/http/request-bodies';
import { answerUnreadablePath } from '@loyalty/platform/http/unreadable-requests';
import { type Access, accessOf } from '@loyalty/platform/identity/access';
import { memberCookie } from '@loyalty/platform/identity/session-cookie';
import fastify, { type FastifyInstance } from 'fastify';
import { buildSchema, type GraphQLSchema, isObjectType, isScalarType } from 'graphql';
import { type AdapterOptions, restAdapter } from './adapter.ts';
import type { GraphClient, GraphReply } from './graph-client.ts';
import { DELETE, GET, PATCH, POST, type Row } from './table/row.ts';

/**
 * Builds the schema of a test graph from the SDL that clients see. It keeps `@access`, and its scalars check
 * values.
 */
export function schemaOf(sdl: string): GraphQLSchema {
  const schema = buildSchema(sdl, { assumeValid: true });
  for (const [name, behaviour] of Object.entries(scalars)) {
    const type = schema.getType(name);
    if (isScalarType(type)) Object.assign(type, behaviour);
  }
  return schema;
}

/** Returns every `@access` rule of a schema that still contains them, by field. */
export function accessesIn(schema: GraphQLSchema): Map<string, Access> {
  const found = new Map<string, Access>();
  for (const type of Object.values(schema.getTypeMap()).filter(isObjectType)) {
    for (const field of Object.values(type.getFields())) {
      const asked = accessOf(field);
      if (asked) found.set(`${type.name}.${field.name}`, asked);
    }
  }
  return found;
}

const sdl = /* GraphQL */ `
  directive @access(scopes: [[String!]!], role: String, module: String, callers: [String!], liveOnly: Boolean)
    on FIELD_DEFINITION
  scalar BigInt
  scalar Date
  scalar DateTime
  scalar JSONObject
  scalar PositiveInt

  type Query {
    "One member, unmasked; null when there is none."
    member(id: ID!): Member @access(scopes: [["members:read"]])
    "Members, newest first."
    members(
      first: Int
      offset: Int
      status: MemberStatus
      "Part of the name."
      search: String
      tags: [String!]
      pointsMin: BigInt
      latitude: Float
      isActive: Boolean
      since: DateTime
    ): MemberConnection! @access(scopes: [["members:read"]])
    tiers: [Tier!]! @access(scopes: [["members:read"], ["tiers:read"]])
    isSubscribed(email: String!): Subscription! @access(scopes: [["members:read"]])
  }
  type Mutation {
    createMember(input: CreateMemberInput!): Member! @access(scopes: [["members:write"]])
    updateMember(id: ID!, input: UpdateMemberInput!): Member! @access(scopes: [["members:write"]])
    "Adds points; ACTIVE members alone; following the cursor reads all."
    awardPoints(memberId: ID!, input: AwardPointsInput!): PointsTransaction!
      @access(scopes: [["points:write"], ["members:write"]])
    unsubscribe(email: String!): Subscription! @access(scopes: [["members:write"]])
    confirmEmail(id: ID!): Member! @access(scopes: [["members:write"]], role: "ADMIN", liveOnly: true)
    addDevice(input: DeviceInput!): Device! @access(callers: ["member"], module: "web-push")
    removeDevice(endpoint: String!): Device! @access(callers: ["member"], module: "web-push")
    login(input: LoginInput!): Session! @access(callers: ["anonymous", "user"])
  }
  type Member {
    id: ID!
    email: String
    "As in the list filter."
    status: MemberStatus!
    tier: Tier
    "What is predicted about the member."
    predictions: Predictions
    "Where it began."
    homeTier: Tier
    friends: MemberConnection!
    customAttributes: JSONObject!
    pointsTransactions("Default: 10." first: Int, offset: Int): PointsConnection!
    createdAt: DateTime!
    pointsEarned: BigInt!
  }
  "What is predicted; all of it may be null."
  type Predictions { "The day of the next order." nextOn: Date chance: Float }
  type MemberConnection { nodes: [Member!]! "All of them. Counted only when selected." totalCount: Int! }
  type PointsConnection { nodes: [PointsTransaction!]! totalCount: Int! }
  type PointsTransaction { id: ID! amount: Int! balanceAfter: Int! kind: PointsKind }
  "A level of the programme."
  type Tier { id: ID! name: String! status: MemberStatus! }
  type Subscription { email: String! isUnsubscribed: Boolean! }
  type Device { endpoint: String! }
  type Session { token: String! }
  enum MemberStatus { ACTIVE "Asked to be forgotten." DEACTIVATION_PENDING }
  enum PointsKind { AWARD }
  input CreateMemberInput {
    "Unique."
    email: String!
    fullName: String!
    customAttributes: JSONObject
    birthOn: Date
    homeStoreId: ID
    status: MemberStatus
  }
  input UpdateMemberInput { fullName: String customAttributes: JSONObject }
  input AwardPointsInput { amount: PositiveInt! description: String }
  input LoginInput { email: String! password: String! }
  input DeviceInput { endpoint: String! keys: DeviceKeys! rules: [DeviceRule!] }
  "Secrets of a browser."
  input DeviceKeys { p256dh: String! auth: String! }
  input DeviceRule { status: MemberStatus! any: [DeviceRule!] weight: Int = 1 }
`;

export const schema = schemaOf(sdl);
export const access = accessesIn(schema);

const member = 'id email status current_tier_id: tier { id }';
export const rows: readonly Row[] = [
  GET(
    '/api/v2/members',
    `query ListMembers($status: MemberStatus, $search: String, $tags: [String!], $pointsMin: BigInt,
      $latitude: Float,       $isActive: Boolean, $since: DateTime, $limit: Int = 50, $offset: Int = 0) {
      reply: members(status: $status, search: $search, tags: $tags, pointsMin: $pointsMin,
        latitude: $latitude,         isActive: $isActive, since: $since, first: $limit, offset: $offset) {
        members: nodes { ${member} } total: totalCount }
    }`,
  ),
  GET('/api/v2/members/:id', `query GetMember($id: ID!) { reply: member(id: $id) { ${member} } }`),
  POST(
    '/api/v2/members',
    `mutation CreateMember($email: String!, $fullName: String!, $customAttributes: JSONObject,
      $birthDate: Date, $storeId: ID, $status: MemberStatus) {
      reply: createMember(input: { email: $email, fullName: $fullName, customAttributes: $customAttributes,
        birthOn: $birthDate, homeStoreId: $storeId, status: $status }) { ${member} }
    }`,
    { status: 201, also: { name: 'fullName' } },
  ),
  PATCH(
    '/api/v2/members/:id',
    `mutation UpdateMember($id: ID!, $fullName: String, $customAttributes: JSONObject) {
      reply: updateMember(id: $id, input: { fullName: $fullName, customAttributes: $customAttributes }) {
        ${member}
      }
    }`,
  ),
  GET(
    '/api/v2/members/:memberId/points',
    `query MemberPoints($memberId: ID!, $limit: Int = 10) {
      reply: member(id: $memberId) {
        memberId: id
        transactions: pointsTransactions(first: $limit) { nodes { id amount kind } } }
    }`,
  ),
  POST(
    '/api/v2/members/:memberId/points',
    `mutation AwardPoints($memberId: ID!, $amount: PositiveInt!, $description: String) {
      reply: awardPoints(memberId: $memberId, input: { amount: $amount, description: $description }) {
        transactionId: id balance: balanceAfter }
    }`,
  ),
  GET(
    '/api/v2/members/:memberId/prediction',
    `query MemberPrediction($memberId: ID!) {
      reply: member(id: $memberId) {
        next_on: predictions { nextOn } chance: predictions { chance } home_tier_id: homeTier { id } }
    }`,
  ),
  GET(
    '/api/v2/members/:memberId/tier',
    `query MemberTier($memberId: ID!) {
      reply: member(id: $memberId) { currentTier: tier { id name status } } allTiers: tiers { id name status }
    }`,
  ),
  POST(
    '/api/v2/members/unsubscribe',
    'mutation Unsubscribe($email: String!) { data: unsubscribe(email: $email) { email } }',
  ),
  GET(
    '/api/v2/members/unsubscribe',
    'query IsSubscribed($email: String!) { data: isSubscribed(email: $email) { email } }',
  ),
  POST(
    '/api/v2/members/:id/confirm',
    'mutation ConfirmEmail($id: ID!) { reply: confirmEmail(id: $id) { id } }',
  ),
  POST(
    '/api/member/web-push',
    `mutation AddDevice($endpoint: String!, $keys: DeviceKeys!, $rules: [DeviceRule!]) {
      data: addDevice(input: { endpoint: $endpoint, keys: $keys, rules: $rules }) { endpoint }
    }`,
  ),
  DELETE(
    '/api/member/web-push',
    'mutation RemoveDevice($endpoint: String!) { data: removeDevice(endpoint: $endpoint) { endpoint } }',
  ),
  POST(
    '/api/v2/auth/login',
    `mutation Login($email: String!, $password: String!) {
      reply: login(input: { email: $email, password: $password }) { token }
    }`,
  ),
  GET('/api/v1/tiers', 'query ModelTiers { reply: tiers { id name status } }'),
];

/** Returns a row of the fixture by the name of its operation. */
export const rowOf = (operation: string): Row =>
  rows.find(({ document }) => document.includes(` ${operation}(`) || document.includes(` ${operation} {`))!;

export interface Asked {
  readonly operationName: string;
  readonly variables: Record<string, unknown>;
}

/**
 * Creates the adapter with a fake graph. The graph answers by operation name; `asked` lists the operations
 * that it received.
 */
export async function appOver(
  answers: Readonly<Record<string, GraphReply>>,
  table: Pick<AdapterOptions, 'rows' | 'schema' | 'access'> = { rows, schema, access },
): Promise<{ app: FastifyInstance; asked: Asked[] }> {
  const asked: Asked[] = [];
  const graph: GraphClient = {
    async execute({ operationName, variables }) {
      asked.push({ operationName, variables });
      return answers[operationName] ?? { data: { data: {} } };
    },
  };
  const app = fastify({
    bodyLimit: 256 * 1024,
    genReqId: () => 'request-1',
    frameworkErrors: answerUnreadablePath,
  });
  app.decorateRequest('refused', null);
  app.decorateRequest('caller');
  boundBodies(app);
  app.addHook('onRequest', async (request) => {
    const { authorization } = request.headers;
    request.caller = authorization ? (callers[authorization] ?? anonymous) : anonymous;
    if (authorization === 'Bearer wrong')
      request.refused = unauthenticated('CREDENTIAL_INVALID', 'This key is not known.');
  });
  await app.register(namedPlugin(restAdapter), {
    ...table,
    graph,
    memberCookie: memberCookie({ isProduction: false }),
  });
  return { app, asked };
}

const key: Caller = {
  ...anonymous,
  kind: 'KEY',
  workspaceId: 'w',
  actor: 'key:k',
  scopes: ['*'],
  modules: ['*'],
};

/** Callers by the value of the Authorization header. */
const callers: Readonly<Record<string, Caller>> = {
  'Bearer key': key,
  'Bearer reader': { ...key, scopes: ['members:read'] },
  'Bearer previewer': { ...key, scopes: ['data:preview'] },
  'Bearer member': { ...key, kind: 'MEMBER', scopes: [] },
  'Bearer member-without-module': { ...key, kind: 'MEMBER', scopes: [], modules: [] },
};
