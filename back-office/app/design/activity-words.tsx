import { Fragment, type ReactNode } from 'react';
import { useText } from '../messages/text.ts';
import classes from './activity-list.module.css';
import type { ActivityLineFragment as Entry } from './generated/activity-list.ts';
import { ScreenLink } from './screen-link.tsx';

interface EntryProps {
  readonly of: Entry;
}

/** What an entry is about, with links to the screens that show it. */
export function Subject({ of }: EntryProps) {
  const t = useText();
  const { tier, store, tag, segment, journey } = of;
  const parts = [
    purchase(of, t),
    coupon(of, t),
    tier && <ScreenLink to="/tiers">{tier.name}</ScreenLink>,
    store?.name,
    tag && (
      <ScreenLink to="/members" search={{ tag: tag.key }}>
        {tag.label}
      </ScreenLink>
    ),
    segment?.name,
    journey?.name,
    reason(of),
  ];
  return parts.map((part, place) =>
    part ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts are always the same ones
      <Fragment key={place}> · {part}</Fragment>
    ) : null,
  );
}

type Text = ReturnType<typeof useText>;

/** The order or the receipt, also the one that points were earned with. */
function purchase({ order, receipt, pointsTransaction }: Entry, t: Text): ReactNode {
  const source = pointsTransaction?.source;
  const [ofOrder, ofReceipt] = [
    order ?? (source?.__typename === 'Order' ? source : null),
    receipt ?? (source?.__typename === 'Receipt' ? source : null),
  ];
  if (ofOrder?.id && ofOrder.externalOrderId)
    return (
      <ScreenLink to="/orders/$id" params={{ id: ofOrder.id }}>
        {t('activity.order', { number: ofOrder.externalOrderId })}
      </ScreenLink>
    );
  if (ofReceipt?.status)
    return (
      <ScreenLink to="/receipts" search={{ status: ofReceipt.status }}>
        {t('activity.receipt', { merchant: ofReceipt.merchant ?? '' })}
      </ScreenLink>
    );
  return null;
}

function coupon({ coupon: own, pointsTransaction }: Entry, t: Text): ReactNode {
  const source = pointsTransaction?.source;
  const found = own ?? (source?.__typename === 'Coupon' ? source : null);
  return (
    found && (
      <ScreenLink to="/coupons" search={{ code: found.code }}>
        {t('activity.coupon', { code: found.code })}
      </ScreenLink>
    )
  );
}

/** Why somebody gave or corrected points. What the product writes of an order is not for people. */
function reason({ pointsTransaction: entry }: Entry): string | null {
  if (!entry || !WITH_REASON.has(entry.kind) || entry.description === NO_REASON) return null;
  return entry.description;
}

/** What the ledger says of an award without a reason. */
const NO_REASON = 'Points awarded';
const WITH_REASON: ReadonlySet<string> = new Set(['AWARD', 'ADJUSTMENT']);

/** Who acted; nothing where that was not kept. */
export function Actor({ of: { actor, user, apiKey } }: EntryProps) {
  const t = useText();
  if (!actor) return null;
  const who = user?.name ?? apiKey?.name;
  return (
    <span className={classes['by']}>
      {' · '}
      {who ? t('activity.by', { who }) : t(`activity.by.${kindOf(actor)}`)}
    </span>
  );
}

const KINDS = ['user', 'key', 'member', 'anonymous'] as const;

const kindOf = (actor: string) => KINDS.find((kind) => actor.startsWith(kind)) ?? 'system';
