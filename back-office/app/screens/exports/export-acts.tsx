import { Button } from '@mantine/core';
import { useState } from 'react';
import type { AnyVariables } from 'urql';
import type {
  AuditExportFilter,
  CouponExportFilter,
  MemberExportFilter,
  OrderExportFilter,
} from '../../../generated/schema.ts';
import { useCan } from '../../graph/viewer.ts';
import { useText } from '../../messages/text.ts';
import { ExportDialog, type ExportedList } from './export.dialog.tsx';
import {
  AuditToExportDocument,
  CouponsToExportDocument,
  MembersToExportDocument,
  OrdersToExportDocument,
  PointsToExportDocument,
  StartAuditExportDocument,
  StartCouponExportDocument,
  StartMemberExportDocument,
  StartOrderExportDocument,
  StartPointsExportDocument,
} from './generated/exports.ts';

// One export button for each list, with the filter of its screen.

export function ExportMembers({ filter }: { readonly filter: MemberExportFilter }) {
  const t = useText();
  const { search, status, tag, tierId, pointsMin, joinedFrom, joinedTo } = filter;
  return useCan('StartMemberExport') ? (
    <ExportAct
      list={{
        name: t('members.title'),
        // The sort order of the list does not apply to the file.
        conditions: { search, status, tag, tierId, pointsMin, joinedFrom, joinedTo },
        counting: MembersToExportDocument,
        countIn: ({ members }) => members.totalCount,
        starting: StartMemberExportDocument,
      }}
    />
  ) : null;
}

export function ExportOrders({ filter }: { readonly filter: OrderExportFilter }) {
  const t = useText();
  return useCan('StartOrderExport') ? (
    <ExportAct
      list={{
        name: t('orders.title'),
        conditions: filter,
        counting: OrdersToExportDocument,
        countIn: ({ orders }) => orders.totalCount,
        starting: StartOrderExportDocument,
      }}
    />
  ) : null;
}

export function ExportCoupons({ filter }: { readonly filter: CouponExportFilter }) {
  const t = useText();
  return useCan('StartCouponExport') ? (
    <ExportAct
      list={{
        name: t('coupons.title'),
        conditions: filter,
        counting: CouponsToExportDocument,
        countIn: ({ coupons }) => coupons.totalCount,
        starting: StartCouponExportDocument,
      }}
    />
  ) : null;
}

export function ExportAudit({ filter }: { readonly filter: AuditExportFilter }) {
  const t = useText();
  return useCan('StartAuditExport') ? (
    <ExportAct
      list={{
        name: t('audit.title'),
        conditions: filter,
        counting: AuditToExportDocument,
        countIn: ({ auditLog }) => auditLog.totalCount,
        starting: StartAuditExportDocument,
      }}
    />
  ) : null;
}

export function ExportPoints({ memberId }: { readonly memberId: string }) {
  const t = useText();
  return useCan('StartPointsExport') ? (
    <ExportAct
      list={{
        name: t('members.points'),
        conditions: { memberId },
        counting: PointsToExportDocument,
        countIn: ({ member }) => member?.pointsTransactions.totalCount,
        starting: StartPointsExportDocument,
      }}
    />
  ) : null;
}

function ExportAct<Counted, Conditions extends AnyVariables>({
  list,
}: {
  readonly list: ExportedList<Counted, Conditions>;
}) {
  const t = useText();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {t('exports.act')}
      </Button>
      {isOpen && <ExportDialog list={list} onClose={() => setOpen(false)} />}
    </>
  );
}
