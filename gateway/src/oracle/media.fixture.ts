/** Interfaces and unions across subgraphs, keys of interfaces, `@interfaceObject`, `@requires` of a union. */
export const media = {
  name: 'media',
  plannerFaultsMax: 20,
  subgraphs: {
    archive: `
      type Query {
        media(id: ID!): Media
        allMedia(kind: Kind = BOOK): [Media!]!
        search(text: String!): [Hit!]
        anything: Hit
        titles: [Titled]
      }
      enum Kind { BOOK FILM SONG }
      interface Titled { title: String! }
      interface Media @key(fields: "id") { id: ID! title: String! kind: Kind creator: Person next: Media }
      type Book implements Media & Titled @key(fields: "id") {
        id: ID! title: String! kind: Kind creator: Person next: Media
        pages(unit: String = "p"): Int sequel: Book
      }
      type Film implements Media & Titled @key(fields: "id") {
        id: ID! title: String! kind: Kind creator: Person next: Film minutes: Int! cast: [Person!]!
      }
      type Song implements Media & Titled @key(fields: "id") {
        id: ID! title: String! kind: Kind creator: Person next: Media seconds: Int album: Album
      }
      type Album implements Titled @shareable { title: String! tracks: [[Song!]!] cover: Image }
      type Image @shareable { url: String! width: Int }
      type Person @key(fields: "id") { id: ID! name: String! works: [Media] best: Hit }
      union Hit = Book | Film | Song | Person | Album
    `,
    ratings: `
      type Query { topRated(first: Int = 2): [Media!]! ratedBy(person: ID!): Media }
      type Media @key(fields: "id") @interfaceObject {
        id: ID!
        title: String! @external
        stars: Int!
        review(lang: Lang! = EN): String
        fans: [Person!]
        similar: [Media]
        blurb: String @requires(fields: "title")
      }
      enum Lang { EN DE JA }
      type Person @key(fields: "id") { id: ID! favourites: [Media!] rated(min: Int): Media }
    `,
    shops: `
      type Query { offers: [Offer] offer(of: OfferInput!): Offer buyable: [Buyable!] }
      input OfferInput { media: ID! prices: [[Int!]!] lang: Lang = DE more: OfferInput }
      enum Lang { EN DE JA }
      interface Buyable { price: Int seller: Person! }
      union Offered = Book | Film | Song
      type Offer implements Buyable {
        price: Int seller: Person! item: Offered items: [[Offered]] until: Int cover: Image
      }
      type Book implements Buyable @key(fields: "id") { id: ID! price: Int seller: Person! shelf: [Buyable] }
      type Film implements Buyable @key(fields: "id") {
        id: ID! price: Int seller: Person! minutes: Int! @external
        fee: Int @requires(fields: "minutes")
      }
      type Song @key(fields: "id") { id: ID! plays: Int! }
      type Image @shareable { url: String! width: Int }
      type Person @key(fields: "id") { id: ID! best: Hit @external sells: [Offer!]!
        motto: String @requires(fields: "best { __typename ... on Book { id } ... on Film { id minutes } }")
      }
      union Hit = Book | Film | Song
    `,
  },
};
