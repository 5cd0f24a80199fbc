import type { TablerIcon } from '@tabler/icons-react';
import IconActivity from '@tabler/icons-react/icons/IconActivity';
import IconCoin from '@tabler/icons-react/icons/IconCoin';
import IconMapPin from '@tabler/icons-react/icons/IconMapPin';
import IconMedal from '@tabler/icons-react/icons/IconMedal';
import IconReceipt from '@tabler/icons-react/icons/IconReceipt';
import IconShoppingBag from '@tabler/icons-react/icons/IconShoppingBag';
import IconTicket from '@tabler/icons-react/icons/IconTicket';
import IconUser from '@tabler/icons-react/icons/IconUser';
import { FormattedDate, FormattedTime, useIntl } from 'react-intl';
import { useViewer } from '../graph/viewer.ts';
import { useText, useWord } from '../messages/text.ts';
import classes from './activity-list.module.css';
import { Actor, Subject } from './activity-words.tsx';
import type { ActivityLineFragment } from './generated/activity-list.ts';
import { MemberLink } from './member-link.tsx';

interface ActivityEntry extends ActivityLineFragment {
  readonly member?: { readonly id: string; readonly name?: string | null } | null;
}

interface ActivityListProps<Entry> {
  /** What has arrived since the screen was opened, the newest first. */
  readonly live: readonly Entry[];
  readonly before: readonly Entry[];
  readonly shown: number;
}

/** What happened, by days, the newest first; what is new is read out. */
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

/** By what a kind is about: the first word of its name that is here. */
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
