import { Stack, Text } from '@mantine/core';
import { Fact, Part } from '../../design/part.tsx';
import { Instant, Status } from '../../design/values.tsx';
import { useText } from '../../messages/text.ts';
import type { ShownMember } from './shown-member.ts';

/** Whether mail may be sent to the member's address; where not, why. */
export function MailStatus({ member: { suppression } }: { readonly member: ShownMember }) {
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
