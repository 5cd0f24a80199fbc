import { Button, Checkbox, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { Dialog } from '../../design/dialog.tsx';
import { FailureView } from '../../design/failure-view.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import { NumberField } from '../../fields/number-field.tsx';
import { numberRules, requiredNumber, type TypedNumber } from '../../fields/typed-values.ts';
import { undoing } from '../../graph/toasts.ts';
import { useAct } from '../../graph/use-act.ts';
import { useCan } from '../../graph/viewer.ts';
import { useText } from '../../messages/text.ts';
import {
  GenerateCouponsDocument,
  type PoolRowFragment,
  SetCouponPoolStatusDocument,
} from './generated/coupons.ts';
import { ImportCodesDialog } from './import-codes.dialog.tsx';
import { EditPoolDialog } from './pool.dialog.tsx';

/** The actions for a pool. The codes of an archived pool can only be voided. */
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
        <Dialog onClose={status.clearFailure} title={pool.name}>
          <FailureView failure={status.failure} />
        </Dialog>
      )}
    </>
  );
}

interface ArchivePoolProps {
  readonly pool: PoolRowFragment;
  readonly onClose: () => void;
}

/** Archives a pool irreversibly. For an archived pool, it voids the codes. */
function ArchivePoolDialog({ pool, onClose }: ArchivePoolProps) {
  const t = useText();
  const act = useAct(SetCouponPoolStatusDocument, ['Coupon'], () => t('toast.archived', { name: pool.name }));
  const isArchived = pool.status === 'ARCHIVED';
  const form = useForm({ initialValues: { voidCodes: isArchived } });
  const { name, availableCount, heldCount, issuedCount } = pool;
  const unused = availableCount + heldCount + issuedCount;
  const title = t(isArchived ? 'coupons.voidCodes' : 'coupons.archive');
  return (
    <FormDialog
      title={title}
      submit={title}
      form={form}
      act={act}
      variables={({ voidCodes }) => ({ id: pool.id, status: 'ARCHIVED' as const, voidCodes })}
      onDone={onClose}
      onClose={onClose}
      danger={{ name, isFinal: true }}
    >
      <Text size="sm">
        {isArchived
          ? t('coupons.voidText', { count: unused })
          : t('coupons.archiveText', { count: issuedCount })}
      </Text>
      {!isArchived && (
        <Checkbox
          label={t('coupons.voidCodes')}
          description={t('coupons.voidText', { count: unused })}
          {...form.getInputProps('voidCodes', { type: 'checkbox' })}
        />
      )}
    </FormDialog>
  );
}

interface GenerateCodesProps {
  readonly poolId: string;
  readonly onClose: () => void;
}

function GenerateCodesDialog({ poolId, onClose }: GenerateCodesProps) {
  const t = useText();
  const act = useAct(GenerateCouponsDocument, ['Coupon'], ({ generateCoupons }) => ({
    text: t('toast.generating'),
    begun: generateCoupons.lastBatch?.id,
  }));
  const form = useForm<{ count: TypedNumber; prefix: string }>({
    initialValues: { count: '', prefix: '' },
    validate: { count: numberRules(t).positive },
  });
  return (
    <FormDialog
      title={t('coupons.generate')}
      submit={t('coupons.generate')}
      form={form}
      act={act}
      variables={({ count, prefix }) => ({ poolId, count: requiredNumber(count), prefix: prefix || null })}
      onDone={onClose}
      onClose={onClose}
    >
      <NumberField
        label={t('coupons.count')}
        unit={t('unit.codes')}
        required
        data-autofocus
        {...form.getInputProps('count')}
      />
      <TextInput label={t('coupons.prefix')} {...form.getInputProps('prefix')} />
    </FormDialog>
  );
}
