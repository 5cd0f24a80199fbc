import { Button } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '../../design/dialog.tsx';
import { FailureView } from '../../design/failure-view.tsx';
import { undoing } from '../../graph/toasts.ts';
import { useAct } from '../../graph/use-act.ts';
import { useCan } from '../../graph/viewer.ts';
import { useText } from '../../messages/text.ts';
import { ArchivePoolDialog } from './archive-pool.dialog.tsx';
import { GenerateCodesDialog } from './generate-codes.dialog.tsx';
import { SetCouponPoolStatusDocument } from './generated/coupon-acts.ts';
import type { PoolRowFragment } from './generated/coupons.ts';
import { ImportCodesDialog } from './import-codes.dialog.tsx';
import { EditPoolDialog } from './pool.dialog.tsx';

/** What may be done to a pool now; an archived one can only have its codes voided. */
export function PoolActs({ pool }: { readonly pool: PoolRowFragment }) {
  const t = useText();
  const [opened, setOpened] = useState<'edit' | 'generate' | 'import' | 'archive' | null>(null);
  const close = () => setOpened(null);
  const status = useAct(SetCouponPoolStatusDocument, [], (_, { id, status: now }) => ({
    text: t(now === 'PAUSED' ? 'toast.paused' : 'toast.nowActive', { name: pool.name }),
    undo: undoing(SetCouponPoolStatusDocument, { id, status: now === 'PAUSED' ? 'ACTIVE' : 'PAUSED' }),
  }));
  const [canEdit, canGenerate] = [useCan('UpdateCouponPool'), useCan('GenerateCoupons')];
  const [canImport, canSetStatus] = [useCan('ImportCoupons'), useCan('SetCouponPoolStatus')];
  const isOpen = pool.status !== 'ARCHIVED';
  const next = pool.status === 'PAUSED' ? 'ACTIVE' : 'PAUSED';
  const button = (name: NonNullable<typeof opened>, label: string) => (
    <Button variant={name === 'generate' ? 'filled' : 'default'} onClick={() => setOpened(name)}>
      {label}
    </Button>
  );
  return (
    <>
      {isOpen && canEdit && button('edit', t('dialog.edit'))}
      {isOpen && canSetStatus && (
        <Button
          variant="default"
          loading={status.isRunning}
          onClick={() => void status.run({ id: pool.id, status: next })}
        >
          {t(next === 'PAUSED' ? 'coupons.pause' : 'coupons.activate')}
        </Button>
      )}
      {isOpen && canSetStatus && button('archive', t('coupons.archive'))}
      {!isOpen && !pool.codesVoidedAt && canSetStatus && button('archive', t('coupons.voidCodes'))}
      {isOpen && canImport && button('import', t('coupons.import'))}
      {isOpen && canGenerate && button('generate', t('coupons.generate'))}
      {opened === 'edit' && <EditPoolDialog pool={pool} onClose={close} />}
      {opened === 'archive' && <ArchivePoolDialog pool={pool} onClose={close} />}
      {opened === 'import' && <ImportCodesDialog poolId={pool.id} onClose={close} />}
      {opened === 'generate' && <GenerateCodesDialog poolId={pool.id} onClose={close} />}
      {status.failure && (
        <Dialog onClose={status.forget} title={pool.name}>
          <FailureView failure={status.failure} />
        </Dialog>
      )}
    </>
  );
}
