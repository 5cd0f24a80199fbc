import { Progress, Stack, Text } from '@mantine/core';
import { Fact, Part } from '../../design/part.tsx';
import { ScreenLink } from '../../design/screen-link.tsx';
import { Count, Instant, None } from '../../design/values.tsx';
import { useText } from '../../messages/text.ts';
import type { ShownMember } from './shown-member.ts';

/** Points and tier of a member. */
export function Balance({ member }: { readonly member: ShownMember }) {
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
