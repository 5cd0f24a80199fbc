import { Button, Code, CopyButton, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { Dialog } from '../../design/dialog.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import { Fact } from '../../design/part.tsx';
import { Count } from '../../design/values.tsx';
import { EntityPicker } from '../../fields/entity-picker.tsx';
import { NumberField } from '../../fields/number-field.tsx';
import { numberRules, requiredNumber, requiredText, type TypedNumber } from '../../fields/typed-values.ts';
import { useAct } from '../../graph/use-act.ts';
import { useText } from '../../messages/text.ts';
import {
  RedeemPointsForCouponDocument,
  type RedeemPointsForCouponMutation,
} from './generated/redeem-points.ts';
import type { MemberDialogProps } from './shown-member.ts';

type Redeemed = RedeemPointsForCouponMutation['redeemPointsForCoupon'];

/** Redeems points for a coupon of a pool, and shows its code. */
export default function RedeemDialog({ member, onClose }: MemberDialogProps) {
  const [redeemed, setRedeemed] = useState<Redeemed | null>(null);
  if (redeemed) return <IssuedCode redeemed={redeemed} onClose={onClose} />;
  return <ChoosePool member={member} onClose={onClose} onDone={setRedeemed} />;
}

interface ChoosePoolProps extends MemberDialogProps {
  readonly onDone: (redeemed: Redeemed) => void;
}

function ChoosePool({ member: { id, pointsBalance }, onClose, onDone }: ChoosePoolProps) {
  const t = useText();
  const act = useAct(RedeemPointsForCouponDocument, ['Member', 'CouponPool']);
  const form = useForm<{ poolId: string; pointsCost: TypedNumber }>({
    initialValues: { poolId: '', pointsCost: '' },
    validate: {
      poolId: requiredText(t),
      pointsCost: numberRules(t).positive,
    },
  });
  return (
    <FormDialog
      title={t('redeem.title')}
      submit={t('redeem.submit')}
      form={form}
      act={act}
      variables={({ poolId, pointsCost }) => ({
        memberId: id,
        poolId,
        pointsCost: requiredNumber(pointsCost),
      })}
      onDone={({ redeemPointsForCoupon }) => onDone(redeemPointsForCoupon)}
      onClose={onClose}
    >
      <Fact text="points.balance">
        <Count of={pointsBalance} />
      </Fact>
      <EntityPicker
        kind="couponPool"
        label={t('coupons.pool')}
        required
        data-autofocus
        {...form.getInputProps('poolId')}
      />
      <NumberField
        label={t('redeem.cost')}
        unit={t('unit.points')}
        required
        {...form.getInputProps('pointsCost')}
      />
    </FormDialog>
  );
}

function IssuedCode({ redeemed, onClose }: { readonly redeemed: Redeemed; readonly onClose: () => void }) {
  const t = useText();
  const { coupon, pointsDeducted, newBalance } = redeemed;
  return (
    <Dialog onClose={onClose} title={t('redeem.title')}>
      <Stack>
        <Fact text="redeem.cost">
          <Count of={pointsDeducted} />
        </Fact>
        <Fact text="points.balance">
          <Count of={newBalance} />
        </Fact>
        <Code block fz="lg" data-testid="issued-code" style={{ overflowWrap: 'anywhere' }}>
          {coupon.code}
        </Code>
        <CopyButton value={coupon.code}>
          {({ copied, copy }) => (
            <Button onClick={copy} data-autofocus>
              {t(copied ? 'keys.copied' : 'keys.copy')}
            </Button>
          )}
        </CopyButton>
      </Stack>
    </Dialog>
  );
}
