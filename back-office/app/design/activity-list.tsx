import { List, Text } from '@mantine/core';
import { useIntl } from 'react-intl';
import { useText, useWord } from '../messages/text.ts';
import { MemberLink } from './member-link.tsx';
import { Instant } from './values.tsx';

interface ActivityEntry {
  readonly id: string;
  readonly kind: string;
  readonly occurredAt: string;
  readonly points?: number | null;
  readonly member?: { readonly id: string; readonly name?: string | null } | null;
}

interface ActivityListProps<Entry> {
  /** What has arrived since the screen was opened, the newest first. */
  readonly live: readonly Entry[];
  readonly before: readonly Entry[];
  readonly shown: number;
}

/** What happened, the newest first; what is new is read out. */
export function ActivityList<Entry extends ActivityEntry>({ live, before, shown }: ActivityListProps<Entry>) {
  const known = new Set(live.map(({ id }) => id));
  const entries = [...live, ...before.filter(({ id }) => !known.has(id))].slice(0, shown);
  return (
    <List listStyleType="none" spacing="xs" aria-live="polite">
      {entries.map((entry) => (
        <List.Item key={entry.id}>
          <Line {...entry} />
        </List.Item>
      ))}
    </List>
  );
}

function Line({ kind, occurredAt, points, member }: ActivityEntry) {
  const [t, word] = [useText(), useWord()];
  const { formatNumber } = useIntl();
  return (
    <Text span size="sm">
      <Text span size="sm" c="dimmed">
        <Instant at={occurredAt} />{' '}
      </Text>
      {word(kind)}
      {points != null && ` · ${t('activity.points', { points: formatNumber(points, SIGNED) })}`}
      {member && (
        <>
          {' · '}
          <MemberLink of={member} />
        </>
      )}
    </Text>
  );
}

const SIGNED = { signDisplay: 'exceptZero' } as const;
