import { Checkbox, Text, TextInput } from '@mantine/core';
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
  const act = useAct(SetCouponPoolStatusDocument, ['Coupon']);
  const isArchived = pool.status === 'ARCHIVED';
  const form = useForm({
    initialValues: { voidCodes: isArchived, name: '' },
    validate: {
      name: (name) => (name.trim() === pool.name ? null : t('coupons.nameDiffers', { name: pool.name })),
    },
  });
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
      isDangerous
    >
      <Text size="sm">{t(isArchived ? 'coupons.voidText' : 'coupons.archiveText')}</Text>
      {!isArchived && (
        <Checkbox
          label={t('coupons.voidCodes')}
          description={t('coupons.voidText')}
          {...form.getInputProps('voidCodes', { type: 'checkbox' })}
        />
      )}
      <TextInput
        label={t('coupons.typeName', { name: pool.name })}
        required
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('name')}
      />
    </FormDialog>
  );
}
