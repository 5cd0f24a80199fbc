import { Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { FormDialog } from '../../design/form-dialog.tsx';
import { NumberField } from '../../fields/number-field.tsx';
import { numberRules, requiredNumber, type TypedNumber } from '../../fields/typed-values.ts';
import { useAct } from '../../graph/use-act.ts';
import { useText } from '../../messages/text.ts';
import { DepositCreditsDocument } from './generated/credits.ts';

/** Limits of one payment in dollars. The API has cents. */
const [USD_MIN, USD_MAX] = [1, 10_000];

/** Buys credits for an amount in dollars. */
export function DepositDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useText();
  const act = useAct(DepositCreditsDocument, [], () => t('toast.deposit'));
  const form = useForm<{ usdCents: TypedNumber }>({
    initialValues: { usdCents: 20 },
    validate: { usdCents: numberRules(t).between(USD_MIN, USD_MAX) },
  });
  return (
    <FormDialog
      title={t('credits.deposit')}
      submit={t('credits.deposit')}
      form={form}
      act={act}
      variables={({ usdCents }) => ({ usdCents: Math.round(requiredNumber(usdCents) * 100) })}
      onDone={onClose}
      onClose={onClose}
    >
      <NumberField
        decimals={2}
        label={t('credits.usd')}
        unit="USD"
        required
        data-autofocus
        {...form.getInputProps('usdCents')}
      />
      <Text size="sm" c="dimmed">
        {t('credits.depositText')}
      </Text>
    </FormDialog>
  );
}
