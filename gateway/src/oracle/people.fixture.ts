/**
 * Root fields of several subgraphs, keys that only a third one knows, cycles, values divided between
 * subgraphs.
 */
export const people = {
  name: 'people',
  plannerFaultsMax: 4,
  subgraphs: {
    directory: `
      type Query {
        person(id: ID!): Person @shareable
        people(ids: [ID!]! = ["Person:1"], order: Order): [Person!] @shareable
        viewer: Viewer @shareable
        version: String! @shareable
      }
      enum Order { ASC DESC }
      type Viewer @shareable { person: Person settings: Settings! }
      type Settings @shareable { theme: String! locale: String }
      type Person @key(fields: "id") @key(fields: "email") {
        id: ID! email: String! name(short: Boolean): String! manager: Person
        reports(depth: Int = 1): [Person!]! contact: Contact
      }
      type Contact @shareable { phone: String city: String! }
    `,
    payroll: `
      type Query { viewer: Viewer @shareable person(id: ID!): Person @shareable payday: Day }
      scalar Day
      type Mutation { raise(email: String!, by: Money!): Person }
      input Money { amount: Int! currency: String = "EUR" parts: [Money!] }
      type Viewer @shareable { person: Person salaryBand: Band }
      type Band @shareable { low: Int! high: Int! }
      type Person @key(fields: "email") {
        email: String! salary(in: Money): Int band: Band peers: [Person] badge: Badge
        manager: Person @external level: Int @requires(fields: "manager { email }")
      }
      type Badge @key(fields: "code") { code: String! wearer: Person }
    `,
    projects: `
      type Query {
        projects(tags: [String] = ["a", null]): [Project] @shareable
        people(ids: [ID!]! = ["Person:1"], order: Order): [Person!] @shareable
        owners: [Owner!]!
        version: String! @shareable
      }
      enum Order { ASC DESC }
      type Mutation { start(title: String!): Project! stop(id: ID!): Boolean }
      union Owner = Person | Team
      interface Named { title: String! owner: Owner }
      type Project implements Named @key(fields: "id") {
        id: ID! title: String! owner: Owner members: [Person!]! parent: Project! watchers: [[Owner!]]
      }
      type Team implements Named @key(fields: "id") {
        id: ID! title: String! owner: Owner lead: Person projects: [Project!] named: [Named]
      }
      type Person @key(fields: "id") {
        id: ID! projects(open: Boolean! = true): [Project!] team: Team!
        salary(in: Money): Int @external contact: Contact @external
        budget: Int @requires(fields: "salary(in: { amount: 1, currency: \\"USD\\" })")
        address: String! @requires(fields: "contact { city phone }")
      }
      input Money { amount: Int! currency: String = "EUR" parts: [Money!] }
      type Contact @shareable { phone: String city: String! }
    `,
    access: `
      type Query { projects(tags: [String] = ["a", null]): [Project] @shareable badge(code: String!): Badge }
      type Mutation { grant(badge: String!, level: Level! = LOW): Badge! }
      enum Level { LOW HIGH }
      type Badge @key(fields: "code") { code: String! level: Level! gates: [Gate!]! }
      type Gate { name: String! lastBadge: Badge openFor(levels: [Level!]! = [LOW]): [Badge] }
      type Project @key(fields: "id") { id: ID! gates: [Gate!] isSecret: Boolean! room: Gate! }
    `,
  },
};
