/** Names of events that the model ingests, with the types that it knows them by. */
export const factTypes: Readonly<Record<string, string>> = { view: 'view', add_to_cart: 'cart_add' };

/** Does the model ingest the event? It must be a member's and about a product. */
export const isFact = (event: {
  readonly event: string;
  readonly memberId: string | null;
  readonly itemId: string | null;
}): boolean => Object.hasOwn(factTypes, event.event) && event.memberId !== null && event.itemId !== null;
