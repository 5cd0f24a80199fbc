import { Anchor, Stack } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Empty, Screen } from '../../design/screen.tsx';
import { Guarded } from '../../graph/guarded.tsx';
import { useLive } from '../../graph/use-live.ts';
import { useScreen } from '../../graph/use-screen.ts';
import { useConditions } from '../../graph/viewer.ts';
import { useText } from '../../messages/text.ts';
import { MemberDocument } from './generated/member.ts';
import { MemberActivityDocument, type MemberActivitySubscription } from './generated/member-activity.ts';
import classes from './member.module.css';
import { MemberActs } from './member-acts.tsx';
import { Attributes } from './member-attributes.tsx';
import { Balance } from './member-balance.tsx';
import { Consents } from './member-consents.tsx';
import { MailStatus } from './member-mail.tsx';
import { Profile } from './member-profile.tsx';
import { Segments } from './member-segments.tsx';
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

/** Everything about one member. What happens to them elsewhere shows by itself. */
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

/** What is looked up or changed now and then. */
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
