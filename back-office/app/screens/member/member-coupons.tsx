import { Text } from '@mantine/core';
import { useState } from 'react';
import { DataTable, type PageCursors, Pager, pageOf, type TableColumn } from '../../design/data-table.tsx';
import { FailureView } from '../../design/failure-view.tsx';
import { Part } from '../../design/part.tsx';
import { ScreenLink } from '../../design/screen-link.tsx';
import { Instant, Status } from '../../design/values.tsx';
import { useScreen } from '../../graph/use-screen.ts';
import { useText } from '../../messages/text.ts';
import { MemberCouponsDocument, type MemberCouponsQuery } from './generated/member-coupons.ts';

type Coupon = NonNullable<MemberCouponsQuery['member']>['couponHistory']['nodes'][number];

/** All coupons of the member, with status. */
export default function CouponsTab({ id }: { readonly id: string }) {
  const t = useText();
  const [place, setPlace] = useState<PageCursors>({});
  const { data, failure, reload } = useScreen(MemberCouponsDocument, { id, ...pageOf(place, 25) });
  const columns = useColumns();
  return (
    <Part title={t('coupons.title')}>
      {failure && <FailureView failure={failure} onRetry={reload} />}
      {!failure && (
        <DataTable
          label={t('coupons.title')}
          columns={columns}
          rows={data && (data.member?.couponHistory.nodes ?? [])}
          rowKey={(coupon) => coupon.id}
          list="member-coupons"
          empty={<Text size="sm">{t('member.noCoupons')}</Text>}
        />
      )}
      <Pager page={data?.member?.couponHistory.pageInfo} onMove={setPlace} />
    </Part>
  );
}

function useColumns(): TableColumn<Coupon>[] {
  const t = useText();
  return [
    {
      key: 'code',
      title: t('coupons.code'),
      cell: ({ code }) => (
        <ScreenLink to="/coupons" search={{ code }} size="sm">
          {code}
        </ScreenLink>
      ),
    },
    {
      key: 'pool',
      title: t('coupons.pool'),
      cell: ({ pool }) => (
        <ScreenLink to="/coupons/$id" params={{ id: pool.id }} size="sm">
          {pool.name}
        </ScreenLink>
      ),
    },
    {
      key: 'status',
      title: t('members.status'),
      cell: ({ status, isExpired }) => <Status of={isExpired ? 'EXPIRED' : status} />,
    },
    { key: 'issued', title: t('coupons.issued'), cell: ({ issuedAt }) => <Instant at={issuedAt} /> },
    {
      key: 'redeemed',
      title: t('coupons.redeemed'),
      cell: ({ redeemedAt, redeemedStore }) => (
        <>
          <Instant at={redeemedAt} />
          {redeemedStore && ` · ${redeemedStore.name}`}
        </>
      ),
    },
    { key: 'voided', title: t('coupons.voided'), cell: ({ voidedAt }) => <Instant at={voidedAt} /> },
    { key: 'expires', title: t('coupons.expires'), cell: ({ expiresAt }) => <Instant at={expiresAt} /> },
  ];
}
