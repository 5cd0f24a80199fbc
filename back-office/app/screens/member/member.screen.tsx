import { Anchor, Badge, Group, Progress, Stack, Text } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Fact, Part } from '../../design/part.tsx';
import { Empty, Screen } from '../../design/screen.tsx';
import { ScreenLink } from '../../design/screen-link.tsx';
import { Count, Instant, None, Status } from '../../design/values.tsx';
import { Guarded } from '../../graph/guarded.tsx';
import { useLive } from '../../graph/use-live.ts';
import { useScreen } from '../../graph/use-screen.ts';
import { useConditions } from '../../graph/viewer.ts';
import { useText } from '../../messages/text.ts';
import {
  MemberActivityDocument,
  type MemberActivitySubscription,
  MemberDocument,
} from './generated/member.ts';
import classes from './member.module.css';
import { MemberActs } from './member-acts.tsx';
import { Attributes } from './member-attributes.tsx';
import { Consents } from './member-consents.tsx';
import { MemberTabs } from './member-tabs.tsx';
import { Tags } from './member-tags.tsx';
import type { ShownMember } from './shown-member.ts';

const route = getRouteApi('/members/$id');

type Happening = MemberActivitySubscription['memberActivity'];
const SHOWN = 20;

export default function Member() {
  const t = useText();
  const { id } = route.useParams();
  return (
    <Guarded title={t('member.title')} document="Member">
      <MemberScreen id={id} key={id} />
    </Guarded>
  );
}

/** All about one member. Changes that are made elsewhere appear live. */
function MemberScreen({ id }: { readonly id: string }) {
  const t = useText();
  const { data, failure, reload } = useScreen(MemberDocument, { id, ...useConditions('Member') });
  const [live, setLive] = useState<readonly Happening[]>([]);
  const onEvent = ({ memberActivity }: MemberActivitySubscription): void => {
    setLive((before) => [memberActivity, ...before].slice(0, SHOWN));
    reload();
  };
  useLive(MemberActivityDocument, { id, ...useConditions('MemberActivity') }, { onEvent });
  const member = data?.member;
  if (data && !member) return <UnknownMember />;
  return (
    <Screen
      title={member?.name ?? member?.email ?? t('member.title')}
      actions={member && <MemberActs member={member} />}
      failure={failure}
      onRetry={reload}
    >
      {member && (
        <div className={classes['page']}>
          <Stack className={classes['who'] ?? ''}>
            <Profile member={member} />
            <Balance member={member} />
          </Stack>
          <div className={classes['tabs']}>
            <MemberTabs member={member} live={live} />
          </div>
          <Facts member={member} />
        </div>
      )}
    </Screen>
  );
}

/** Facts that are rarely read or changed. */
function Facts({ member }: { readonly member: ShownMember }) {
  return (
    <Stack className={classes['facts'] ?? ''}>
      <Consents member={member} />
      <MailStatus member={member} />
      <Tags member={member} />
      <Segments member={member} />
      <Attributes member={member} />
    </Stack>
  );
}

function UnknownMember() {
  const t = useText();
  return (
    <Screen title={t('member.title')}>
      <Empty title={t('member.unknown')}>
        <Anchor component={Link} to="/members">
          {t('members.title')}
        </Anchor>
      </Empty>
    </Screen>
  );
}

/** Contact details and status of the member, with restrictions. */
function Profile({ member }: { readonly member: ShownMember }) {
  const t = useText();
  const { email, phone, externalId, status, createdAt, lastActivityAt, eraseAfter, isRestricted } = member;
  return (
    <Part title={t('member.profile')} actions={<Status of={status} />}>
      <Stack gap="xs">
        <Fact text="members.email">{email ?? <None />}</Fact>
        <Fact text="member.phone">{phone ?? <None />}</Fact>
        <Fact text="members.externalId">{externalId ?? <None />}</Fact>
        <Fact text="member.since">
          <Instant at={createdAt} hasTime={false} />
        </Fact>
        <Fact text="members.lastActivity">
          <Instant at={lastActivityAt} />
        </Fact>
        {isRestricted && <Badge color="yellow">{t('member.restricted')}</Badge>}
        {eraseAfter && (
          <Fact text="member.eraseAfter">
            <Instant at={eraseAfter} />
          </Fact>
        )}
      </Stack>
    </Part>
  );
}

/** Points and tier of a member. */
function Balance({ member }: { readonly member: ShownMember }) {
  const t = useText();
  const { id, pointsBalance, pointsPending, pointsExpiring, tier, tierOverrideUntil } = member;
  return (
    <Part
      title={t('member.points')}
      actions={
        <ScreenLink to="/members/$id/points" params={{ id }} size="sm">
          {t('member.ledger')}
        </ScreenLink>
      }
    >
      <Stack gap="xs">
        <Text size="xl" fw={600} data-testid="points-balance" aria-live="polite">
          <Count of={pointsBalance} />
        </Text>
        {pointsPending > 0 && (
          <Fact text="member.pending">
            <Count of={pointsPending} />
          </Fact>
        )}
        {pointsExpiring.map(({ amount, expiresAt }) => (
          <Fact text="member.expiring" key={expiresAt}>
            <Count of={amount} /> · <Instant at={expiresAt} hasTime={false} />
          </Fact>
        ))}
        <Fact text="members.tier">{tier?.name ?? <None />}</Fact>
        {tierOverrideUntil && (
          <Fact text="tierByHand.until">
            <Instant at={tierOverrideUntil} />
          </Fact>
        )}
        <ToNextTier of={member.tierProgress} />
      </Stack>
    </Part>
  );
}

function ToNextTier({ of }: { readonly of: ShownMember['tierProgress'] }) {
  const t = useText();
  const { pointsEarnedInPeriod, pointsToNext, nextTier } = of;
  if (!nextTier) return null;
  const [earned, left] = [Number(pointsEarnedInPeriod), Number(pointsToNext ?? 0)];
  return (
    <>
      <Progress
        value={(100 * earned) / Math.max(earned + left, 1)}
        aria-label={t('member.toNext', { tier: nextTier.name })}
      />
      <Text size="sm">
        <Count of={left} /> {t('member.toNext', { tier: nextTier.name })}
      </Text>
    </>
  );
}

/** May mail be sent to the member's address? If not, the reasons. */
function MailStatus({ member: { suppression } }: { readonly member: ShownMember }) {
  const t = useText();
  if (!suppression) return null;
  const { reasons, since } = suppression;
  return (
    <Part title={t('members.email')}>
      {reasons.length === 0 && <Text size="sm">{t('mail.allowed')}</Text>}
      <Stack gap="xs">
        {reasons.map((reason) => (
          <Fact text="mail.refused" key={reason}>
            <Status of={reason} />
          </Fact>
        ))}
        {since && (
          <Fact text="mail.since">
            <Instant at={since} />
          </Fact>
        )}
      </Stack>
    </Part>
  );
}

/** The current segments of the member. */
function Segments({ member: { segments } }: { readonly member: ShownMember }) {
  const t = useText();
  if (!segments) return null;
  return (
    <Part title={t('member.segments')}>
      {segments.length === 0 && <None />}
      <Group gap="xs">
        {segments.map(({ id, name }) => (
          <Badge key={id} variant="light" tt="none" size="lg">
            {name}
          </Badge>
        ))}
      </Group>
    </Part>
  );
}
