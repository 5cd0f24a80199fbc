import { Badge, Stack } from '@mantine/core';
import { Fact, Part } from '../../design/part.tsx';
import { Instant, None, Status } from '../../design/values.tsx';
import { useText } from '../../messages/text.ts';
import type { ShownMember } from './shown-member.ts';

/** Who the member is, and what has to be minded. */
export function Profile({ member }: { readonly member: ShownMember }) {
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
