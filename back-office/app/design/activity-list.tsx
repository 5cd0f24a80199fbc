import type { TablerIcon } from '@tabler/icons-react';
import IconActivity from '@tabler/icons-react/icons/IconActivity';
import IconCoin from '@tabler/icons-react/icons/IconCoin';
import IconMapPin from '@tabler/icons-react/icons/IconMapPin';
import IconMedal from '@tabler/icons-react/icons/IconMedal';
import IconReceipt from '@tabler/icons-react/icons/IconReceipt';
import IconShoppingBag from '@tabler/icons-react/icons/IconShoppingBag';
import IconTicket from '@tabler/icons-react/icons/IconTicket';
import IconUser from '@tabler/icons-react/icons/IconUser';
import { Fragment, type ReactNode } from 'react';
import { FormattedDate, FormattedTime, useIntl } from 'react-intl';
import { useViewer } from '../graph/viewer.ts';
import { useText, useWord } from '../messages/text.ts';
import classes from './activity-list.module.css';
import type { ActivityLineFragment, ActivityLineFragment as Entry } from './generated/activity-list.ts';
import { MemberLink } from './member-link.tsx';
import { ScreenLink } from './screen-link.tsx';

interface ActivityEntry extends ActivityLineFragment {
  readonly member?: { readonly id: string; readonly name?: string | null } | null;
}

interface ActivityListProps<Entry> {
  /** Entries that arrived after the screen was opened, the newest first. */
  readonly live: readonly Entry[];
  readonly before: readonly Entry[];
  readonly shown: number;
}

/** The activity in groups of one day, the newest first. Screen readers announce new entries. */
export function ActivityList<Entry extends ActivityEntry>({ live, before, shown }: ActivityListProps<Entry>) {
  const { workspace } = useViewer();
  const { formatDate } = useIntl();
  const known = new Set(live.map(({ id }) => id));
  const entries = [...live, ...before.filter(({ id }) => !known.has(id))].slice(0, shown);
  const dayOf = ({ occurredAt }: ActivityEntry) =>
    formatDate(occurredAt, { timeZone: workspace.timeZone, dateStyle: 'short' });
  return (
    <div aria-live="polite" className={classes['days']}>
      {[...Map.groupBy(entries, dayOf)].map(([day, ofDay]) => (
        <section key={day}>
          <div className={classes['day']}>
            <FormattedDate
              value={ofDay[0]!.occurredAt}
              timeZone={workspace.timeZone}
              weekday="long"
              day="numeric"
              month="long"
            />
          </div>
          <ul className={classes['entries']}>
            {ofDay.map((entry) => (
              <Line key={entry.id} {...entry} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

/** Icons by a word of the kind's name. The first word that is a key here chooses the icon. */
const icons: Readonly<Record<string, TablerIcon>> = {
  POINTS: IconCoin,
  COUPON: IconTicket,
  ORDER: IconShoppingBag,
  RECEIPT: IconReceipt,
  STORE: IconMapPin,
  TIER: IconMedal,
  MEMBER: IconUser,
};

function Line(entry: ActivityEntry) {
  const { kind, occurredAt, points, member } = entry;
  const [t, word] = [useText(), useWord()];
  const { workspace } = useViewer();
  const { formatNumber } = useIntl();
  const about = kind.split('_').find((part) => part in icons);
  const Icon = about ? icons[about]! : IconActivity;
  return (
    <li className={classes['entry']}>
      <Icon size={16} />
      <span className={classes['what']}>
        {word(kind)}
        {points != null && ` · ${t('activity.points', { points: formatNumber(points, SIGNED) })}`}
        {member && (
          <>
            {' · '}
            <MemberLink of={member} />
          </>
        )}
        <Subject of={entry} />
        <Actor of={entry} />
      </span>
      <time dateTime={occurredAt} className={classes['time']}>
        <FormattedTime value={occurredAt} timeZone={workspace.timeZone} />
      </time>
    </li>
  );
}

const SIGNED = { signDisplay: 'exceptZero' } as const;

interface EntryProps {
  readonly of: Entry;
}

/** The subjects of an entry, with links to their screens. */
function Subject({ of }: EntryProps) {
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

/** The order or the receipt of an entry, or the one that earned its points. */
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

/**
 * The reason for which staff awarded or adjusted points. Descriptions that the product writes by itself are
 * not shown.
 */
function reason({ pointsTransaction: entry }: Entry): string | null {
  if (!entry || !WITH_REASON.has(entry.kind) || entry.description === NO_REASON) return null;
  return entry.description;
}

/** The description that the ledger has for an award without a reason. */
const NO_REASON = 'Points awarded';
const WITH_REASON: ReadonlySet<string> = new Set(['AWARD', 'ADJUSTMENT']);

/** The person, key or member who acted. Shows nothing if the actor was not recorded. */
function Actor({ of: { actor, user, apiKey } }: EntryProps) {
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
