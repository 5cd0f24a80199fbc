/** Compound keys with nested selections, nested lists, value types, chains of non-null, `@inaccessible`. */
export const travel = {
  name: 'travel',
  plannerFaultsMax: 4,
  subgraphs: {
    flights: `
      type Query {
        flight(airline: ID!, number: String!): Flight
        departures(on: Day, codes: [[String!]!]): [[Flight!]!]!
        board: [[Flight]]
        route(legs: [LegInput!]): Route!
        seat: Seat
      }
      scalar Day
      input LegInput { from: String! to: String = "FRA" cabin: Cabin = ECONOMY via: [LegInput] }
      enum Cabin { ECONOMY BUSINESS FIRST @inaccessible }
      type Airline @key(fields: "id") { id: ID! name: String alliance: Alliance! @shareable fleet: [Plane!]! }
      type Alliance @shareable { name: String! rank: Int }
      type Plane @key(fields: "registration { country tail }") {
        registration: Registration! model: String seats: [[Seat]] rows: [[Seat!]!]!
      }
      type Registration @shareable { country: String! tail: String! }
      type Seat @key(fields: "plane { registration { country tail } } code") {
        plane: Plane! code: String! cabin: Cabin secret: Crew @inaccessible
      }
      type Flight @key(fields: "airline { id } number") {
        airline: Airline! number: String! day: Day plane: Plane route: Route! cabins: [Cabin!]
      }
      type Route { legs: [Leg!]! first: Leg! length(unit: Unit! = KM): Float }
      type Leg { from: Airport! to: Airport! next: Leg }
      enum Unit { KM MILES }
      type Airport @key(fields: "code") { code: String! }
      type Crew @inaccessible { name: String }
    `,
    airports: `
      type Query { airport(code: String!): Airport airports: [Airport!] }
      type Airport @key(fields: "code") @key(fields: "position { mark grid }") {
        code: String! position: Position! city: City! gates: [[Gate!]!] hub: Airline
      }
      type Position @shareable { lat: Float! mark: String! grid: String! }
      type City @key(fields: "name country { code }") { name: String! country: Country! airports: [Airport!]! }
      type Country @key(fields: "code") { code: String! name: String }
      type Gate { number: Int! flights: [Flight] }
      type Airline @key(fields: "id", resolvable: false) { id: ID! }
      type Flight @key(fields: "airline { id } number", resolvable: false) { airline: Airline! number: String! }
    `,
    service: `
      type Query { delays: [Flight!] }
      type Flight @key(fields: "airline { id } number") {
        airline: Airline! number: String! route: Route! @external plane: Plane @external
        delay: Int!
        notice(lang: String): String 
          @requires(fields: "route { legs { from { code } to { code } } length(unit: MILES) }")
        service: [Meal!]! @requires(fields: "plane { registration { tail } seats { cabin code } }")
        gate: Airport
      }
      type Airline @key(fields: "id") { id: ID! rating: Int! alliance: Alliance! @shareable }
      type Alliance @shareable { name: String! rank: Int }
      type Plane @key(fields: "registration { country tail }") {
        registration: Registration! seats: [[Seat]] @external lastCheck: Check!
      }
      type Registration @shareable { country: String! tail: String! }
      type Check { by: Inspector! }
      type Inspector { name: String! boss: Inspector badge: Badge! }
      type Badge { number: Int! }
      type Seat @key(fields: "plane { registration { country tail } } code") {
        plane: Plane! code: String! cabin: Cabin @external
        upgrade: Seat extras(first: Int = 2): [String] @requires(fields: "cabin")
      }
      enum Cabin { ECONOMY BUSINESS FIRST }
      type Meal { name: String! calories: Int }
      type Route { legs: [Leg!]! @external length(unit: Unit! = KM): Float @external }
      enum Unit { KM MILES }
      type Leg { from: Airport! @external to: Airport! @external }
      type Airport @key(fields: "code") { code: String! lounges: [String!]! }
    `,
    geography: `
      type Query { country(code: String! = "Country:1"): Country! countries: [Country] }
      type Country @key(fields: "code") { code: String! continent: String! capital: City }
      type City @key(fields: "name country { code }") {
        name: String! country: Country! population(year: Int): Int mayor: String!
      }
      type Airport @key(fields: "position { mark grid }") { position: Position! altitude: Int! zone: String }
      type Position @shareable { lat: Float! mark: String! grid: String! }
    `,
  },
};
