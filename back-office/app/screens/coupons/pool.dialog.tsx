import { NativeSelect, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { dayEndingAt, endOfDay } from '../../design/days.ts';
import { FormDialog } from '../../design/form-dialog.tsx';
import { NumberField } from '../../fields/number-field.tsx';
import { changedValues, optionalNumber, requiredText, type TypedNumber } from '../../fields/typed-values.ts';
import { useAct } from '../../graph/use-act.ts';
import { useViewer } from '../../graph/viewer.ts';
import { useText, useWord } from '../../messages/text.ts';
import {
  CreateCouponPoolDocument,
  type PoolRowFragment,
  UpdateCouponPoolDocument,
} from './generated/coupons.ts';

const TYPES = ['PERCENT', 'FIXED', 'FREE_SHIPPING', 'FREE_ITEM', 'CUSTOM'] as const;

interface PoolForm {
  name: string;
  couponType: (typeof TYPES)[number];
  discountDisplay: string;
  /** The last valid day, YYYY-MM-DD. */
  couponsExpireAt: string;
  lowStockThreshold: TypedNumber;
}

function usePoolForm(pool: PoolRowFragment | null) {
  const t = useText();
  const { timeZone } = useViewer().workspace;
  const day = pool?.couponsExpireAt ? dayEndingAt(pool.couponsExpireAt, timeZone) : '';
  const form = useForm<PoolForm>({
    initialValues: {
      name: pool?.name ?? '',
      couponType: pool?.couponType ?? 'PERCENT',
      discountDisplay: pool?.discountDisplay ?? '',
      couponsExpireAt: day,
      lowStockThreshold: pool?.lowStockThreshold ?? '',
    },
    validate: { name: requiredText(t), discountDisplay: requiredText(t) },
  });
  const details = (values: PoolForm) => ({
    name: values.name,
    discountDisplay: values.discountDisplay,
    // The expiry keeps its time of day if its day is not changed.
    ...(values.couponsExpireAt !== day && {
      couponsExpireAt: values.couponsExpireAt ? endOfDay(values.couponsExpireAt, timeZone) : null,
    }),
    lowStockThreshold: optionalNumber(values.lowStockThreshold),
  });
  return { form, details };
}

function PoolFields({ form }: { readonly form: UseFormReturnType<PoolForm> }) {
  const t = useText();
  return (
    <>
      <TextInput label={t('coupons.pool')} required data-autofocus {...form.getInputProps('name')} />
      <TextInput
        label={t('coupons.discount')}
        placeholder="10%"
        required
        {...form.getInputProps('discountDisplay')}
      />
      <TextInput
        type="date"
        label={t('coupons.lastDay')}
        description={t('coupons.lastDayHint')}
        {...form.getInputProps('couponsExpireAt')}
      />
      <NumberField
        label={t('coupons.threshold')}
        unit={t('unit.codes')}
        description={t('coupons.thresholdHint')}
        {...form.getInputProps('lowStockThreshold')}
      />
    </>
  );
}

export function AddPoolDialog({ onClose }: { readonly onClose: () => void }) {
  const [t, word] = [useText(), useWord()];
  const act = useAct(CreateCouponPoolDocument, [], (_, { input }) => t('toast.added', { name: input.name }));
  const { form, details } = usePoolForm(null);
  return (
    <FormDialog
      title={t('coupons.add')}
      submit={t('coupons.add')}
      form={form}
      act={act}
      variables={(values) => ({ input: { couponType: values.couponType, ...details(values) } })}
      onDone={onClose}
      onClose={onClose}
      isLong
    >
      <PoolFields form={form} />
      <NativeSelect
        label={t('coupons.type')}
        data={TYPES.map((value) => ({ value, label: word(value) }))}
        {...form.getInputProps('couponType')}
      />
    </FormDialog>
  );
}

interface EditPoolProps {
  readonly pool: PoolRowFragment;
  readonly onClose: () => void;
}

export function EditPoolDialog({ pool, onClose }: EditPoolProps) {
  const t = useText();
  const act = useAct(UpdateCouponPoolDocument, ['Coupon'], () => t('toast.saved'));
  const { form, details } = usePoolForm(pool);
  return (
    <FormDialog
      title={t('coupons.edit')}
      submit={t('dialog.save')}
      form={form}
      act={act}
      variables={(values) => ({
        id: pool.id,
        input: changedValues(details(values), details(form.getInitialValues())),
      })}
      onDone={onClose}
      onClose={onClose}
      isLong
    >
      <PoolFields form={form} />
    </FormDialog>
  );
}
