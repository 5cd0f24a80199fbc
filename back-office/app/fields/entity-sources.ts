import type { AnyVariables, TypedDocumentNode } from 'urql';
import { useScreen } from '../graph/use-screen.ts';
import { useText } from '../messages/text.ts';
import {
  PickCouponPoolsDocument,
  PickedCouponPoolDocument,
  PickedMemberDocument,
  PickedProductDocument,
  PickedSegmentDocument,
  PickedStoreDocument,
  PickMembersDocument,
  PickProductsDocument,
  PickSegmentsDocument,
  PickStoresDocument,
} from './generated/entity-picker.ts';

/** What can be picked. */
export interface Choice {
  readonly id: string;
  readonly name: string | null;
  /** What tells it from others of this name. */
  readonly note?: string | null;
  readonly isDisabled?: boolean;
}

type Find<Found> = TypedDocumentNode<Found, { search?: string | null }>;
type Read<One> = TypedDocumentNode<One, { id: string }>;

/** How things of one kind are searched, and how one is read by its id. */
function source<Found, One>(
  find: Find<Found>,
  choicesOf: (found: Found, t: ReturnType<typeof useText>) => readonly Choice[],
  read: Read<One>,
  choiceOf: (one: One) => Choice | null | undefined,
) {
  return {
    useFound(search: string, pause: boolean) {
      const t = useText();
      const { data, failure, isLoading, reload } = useScreen(
        find as TypedDocumentNode<Found, AnyVariables>,
        { search: search || null },
        pause,
      );
      return { choices: data && choicesOf(data, t), failure, isLoading, reload };
    },
    useOne(id: string): Choice | null {
      const { data } = useScreen(read as TypedDocumentNode<One, AnyVariables>, { id }, !id);
      return (data && choiceOf(data)) || null;
    },
  };
}

/** Each kind by its name. */
export const SOURCES = {
  member: source(
    PickMembersDocument,
    ({ members }) =>
      members.nodes.map(({ id, name, email }) => ({ id, name: name ?? email ?? null, note: name && email })),
    PickedMemberDocument,
    ({ member }) => member && { id: member.id, name: member.name ?? member.email ?? null },
  ),
  store: source(
    PickStoresDocument,
    ({ stores }) => stores.nodes,
    PickedStoreDocument,
    ({ store }) => store,
  ),
  segment: source(
    PickSegmentsDocument,
    ({ segments }) => segments.nodes,
    PickedSegmentDocument,
    ({ segment }) => segment,
  ),
  couponPool: source(
    PickCouponPoolsDocument,
    ({ couponPools }, t) =>
      couponPools.nodes.map(({ id, name, discountDisplay, availableCount }) => ({
        ...{ id, name, note: t('picker.pool', { gives: discountDisplay, left: availableCount }) },
        isDisabled: availableCount === 0,
      })),
    PickedCouponPoolDocument,
    ({ couponPool }) => couponPool,
  ),
  product: source(
    PickProductsDocument,
    ({ products }) => products.nodes.map(({ id, name, externalId }) => ({ id, name, note: externalId })),
    PickedProductDocument,
    ({ product }) => product,
  ),
};

export type EntityKind = keyof typeof SOURCES;
