import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { FailureView } from '../../design/failure-view.tsx';
import { MemberLink } from '../../design/member-link.tsx';
import { Fact, Part } from '../../design/part.tsx';
import { ScreenLink } from '../../design/screen-link.tsx';
import { Instant, Status } from '../../design/values.tsx';
import { useScreen } from '../../graph/use-screen.ts';
import { useCan } from '../../graph/viewer.ts';
import { useText } from '../../messages/text.ts';
import { CouponByCodeDocument, type CouponByCodeQuery } from './generated/coupons.ts';
import { isVoidable, VoidCouponDialog } from './void-coupon.dialog.tsx';

type Found = NonNullable<CouponByCodeQuery['couponByCode']>;

interface FindCodeProps {
  /** The code in the address. */
  readonly code: string | undefined;
  readonly onFind: (code: string | undefined) => void;
}

/** Looks up one coupon by its code. */
export function FindCode({ code, onFind }: FindCodeProps) {
  const t = useText();
  const [typed, setTyped] = useState(code ?? '');
  const { data, failure, reload } = useScreen(CouponByCodeDocument, { code: code ?? '' }, !code);
  const find = (event: FormEvent): void => {
    event.preventDefault();
    onFind(typed.trim() || undefined);
  };
  const coupon = data?.couponByCode;
  return (
    <Stack gap="sm">
      <search>
        <form aria-label={t('coupons.find')} onSubmit={find}>
          <Group align="end">
            <TextInput
              label={t('coupons.code')}
              type="search"
              value={typed}
              onChange={({ currentTarget: { value } }) => setTyped(value)}
            />
            <Button type="submit" variant="default">
              {t('coupons.find')}
            </Button>
          </Group>
        </form>
      </search>
      {code && failure && <FailureView failure={failure} onRetry={reload} />}
      <div role="status">
        {code && data && !coupon && <Text>{t('coupons.noSuchCode', { code })}</Text>}
        {code && coupon && <FoundCode coupon={coupon} />}
      </div>
    </Stack>
  );
}

function FoundCode({ coupon }: { readonly coupon: Found }) {
  const t = useText();
  const [isVoiding, setVoiding] = useState(false);
  const canVoid = useCan('VoidCoupon');
  const { code, status, pool, member, issuedAt, redeemedAt, expiresAt } = coupon;
  return (
    <Part
      title={code}
      actions={
        canVoid &&
        isVoidable(coupon) && (
          <Button size="compact-sm" variant="default" onClick={() => setVoiding(true)}>
            {t('coupons.void')}
          </Button>
        )
      }
    >
      <Fact text="members.status">
        <Status of={status} />
      </Fact>
      <Fact text="coupons.pool">
        <ScreenLink to="/coupons/$id" params={{ id: pool.id }} size="sm">
          {pool.name}
        </ScreenLink>
      </Fact>
      <Fact text="coupons.discount">{pool.discountDisplay}</Fact>
      <Fact text="member.title">
        <MemberLink of={member} />
      </Fact>
      <Fact text="coupons.issued">
        <Instant at={issuedAt} />
      </Fact>
      <Fact text="coupons.redeemed">
        <Instant at={redeemedAt} />
      </Fact>
      <Fact text="coupons.expires">
        <Instant at={expiresAt} />
      </Fact>
      {isVoiding && <VoidCouponDialog coupon={coupon} onClose={() => setVoiding(false)} />}
    </Part>
  );
}
