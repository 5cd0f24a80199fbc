import { Checkbox, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { FormDialog } from '../../design/form-dialog.tsx';
import { useAct } from '../../graph/use-act.ts';
import { useText } from '../../messages/text.ts';
import { SetCouponPoolStatusDocument } from './generated/coupon-acts.ts';
import type { PoolRowFragment } from './generated/coupons.ts';

interface ArchivePoolProps {
  readonly pool: PoolRowFragment;
  readonly onClose: () => void;
}

/** Archives a pool for good; of a pool that is archived, it voids the codes. */
export function ArchivePoolDialog({ pool, onClose }: ArchivePoolProps) {
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
