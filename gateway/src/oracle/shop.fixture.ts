/** `@requires` with arguments, nested and of lists; `@provides`, `@override`, several keys, mutations. */
export const shop = {
  name: 'shop',
  plannerFaultsMax: 4,
  subgraphs: {
    catalog: `
      enum Currency { EUR USD JPY }
      scalar Instant
      scalar Anything
      input Range { from: Int = 1 to: Int! }
      input ProductFilter {
        price: Range tags: [String!] currencies: [Currency] names: [[String]] and: [ProductFilter!]
        extra: Anything
      }
      type Query {
        product(id: ID!): Product
        products(first: Int = 3, filter: ProductFilter): [Product!]!
        shelf: [Product] @shareable
        category(id: ID! = "Category:1"): Category!
      }
      type Mutation { createProduct(name: String!, ranges: [Range!]! = [{ to: 3 }]): Product! touch: Instant }
      type Product @key(fields: "id") @key(fields: "sku") {
        id: ID!
        sku: String!
        name(upper: Boolean = false): String
        price(currency: Currency! = EUR, at: Instant): Float
        weight: Int @shareable
        dimensions: Dimensions
        tags: [String]
        parts: [Part!]
        related(first: Int!): [Product!]
        category: Category
        addedAt: Instant
        attributes: Anything
        margin: Int @inaccessible
        averageRating: Float
        currency: Currency
      }
      type Category @key(fields: "id") { id: ID! title: String! parent: Category products: [Product!]! }
      type Dimensions @shareable { width: Int! height: Int }
      type Part @shareable { name: String! grams: Int options: [[Int!]] }
    `,
    inventory: `
      enum Currency { EUR USD JPY }
      scalar Instant
      type Query { warehouses: [Warehouse!] shelf: [Product] @shareable }
      type Mutation { restock(product: ID!, amount: Int = 5): Product  }
      type Warehouse @key(fields: "id") { id: ID! city: String! products: [Product] @provides(fields: "weight") }
      type Product @key(fields: "id") {
        id: ID!
        weight: Int @external
        margin: Int @external
        price(currency: Currency! = EUR, at: Instant): Float @external
        dimensions: Dimensions @external
        parts: [Part!] @external
        category: Category @external
        stock: Int!
        shipping(express: Boolean = false): Int @requires(fields: "weight price(currency: USD)")
        boxes: [String!] @requires(fields: "dimensions { width height } parts { name grams options }")
        shelfLabel: String! @requires(fields: "category { id title } margin")
        warehouse: Warehouse
      }
      type Category @key(fields: "id") { id: ID! title: String! @external }
      type Dimensions @shareable { width: Int! height: Int }
      type Part @shareable { name: String! grams: Int options: [[Int!]] }
    `,
    reviews: `
      type Query { reviews(of: [ID!]): [Review] bestReview: Review! }
      type Mutation { review(product: ID!, stars: Int!): Review }
      type Review @key(fields: "id") {
        id: ID!
        stars: Int!
        body: String
        author: User! @provides(fields: "name")
        editor: User
        product: Product
        replies: [Review!]!
      }
      type User @key(fields: "id") { id: ID! name: String @external reviews(latest: Int): [Review] }
      type Product @key(fields: "sku") {
        sku: String!
        shipping(express: Boolean = false): Int @external
        reviews: [Review!]
        averageRating: Float @override(from: "catalog")
        verdict: String @requires(fields: "shipping(express: true)")
      }
    `,
    accounts: `
      type Query { me: User user(id: ID!): User! users(ids: [ID!]!): [User]! }
      type User @key(fields: "id") @key(fields: "email") {
        id: ID! email: String! name: String @shareable friends: [User!] favourite: Product address: Address!
      }
      type Address { street: String! city: City! }
      type City { name: String! mayor: User! }
      type Product @key(fields: "id", resolvable: false) { id: ID! }
    `,
  },
};
