/** The measured query: five subgraph requests. Two of them ask for lists of entities and depend on others. */
const pageQuery = `query Page($viewer: ID!, $first: Int!, $from: Int!) {
  viewer(id: $viewer) { id name memberSince }
  catalog(first: $first, from: $from) {
    upc name price weight inStock shippingEstimate maker { name country }
    reviews { id rating body author { id name email } }
  }
}`;

/** Entities asked of the catalog; each brings two reviews with their authors. */
export const sizes = { small: 2, large: 20 } as const;
export type Size = keyof typeof sizes;

/**
 * Request number `index`. The variables of no two are the same, so that a gateway which answers identical
 * queries in flight together, or keeps answers, gets no advantage.
 */
export const pageBody = (size: Size, index: number): string =>
  JSON.stringify({
    query: pageQuery,
    operationName: 'Page',
    variables: { viewer: `u${index % 5_000}`, first: sizes[size], from: index * sizes[size] },
  });

const productFields = ['name', 'price', 'weight', 'inStock', 'shippingEstimate', 'maker { name }'];

/**
 * Operation number `index`, of another shape or with other names than any before it: it must be parsed,
 * validated and planned.
 */
export function coldBody(index: number): string {
  const fields = productFields.filter((_, bit) => (index >> bit) & 1);
  const [first, second] = [`a${index}`, `b${index}`];
  const query = `query Cold${index}($viewer: ID!, $from: Int!) {
    ${first}: viewer(id: $viewer) { id name }
    catalog(first: 2, from: $from) {
      upc ${fields.join(' ')}
      ${second}: reviews { id rating author { id ${index % 2 ? 'name' : 'email'} } }
    }
  }`;
  return JSON.stringify({ query, variables: { viewer: 'u1', from: index } });
}
