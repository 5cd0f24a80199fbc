import { Button } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog } from '../../design/form-dialog.tsx';
import { Fact, Part } from '../../design/part.tsx';
import { Count, Instant } from '../../design/values.tsx';
import { useCan } from '../../graph/viewer.ts';
import { useText } from '../../messages/text.ts';
import {
  ActivatePaidServiceDocument,
  type CreditsQuery,
  DeactivatePaidServiceDocument,
} from './generated/credits.ts';

interface PaidServiceProps {
  readonly wallet: CreditsQuery['wallet'];
}

/** What is left of the trial, the price of paid service, and the button that begins or ends it. */
export function PaidService({ wallet }: PaidServiceProps) {
  const t = useText();
  const [isAsking, setAsking] = useState(false);
  const { paidActive, trialUsed, creditsPerMonth, renewsAt } = wallet;
  const canChange = useCan(paidActive ? 'DeactivatePaidService' : 'ActivatePaidService');
  const close = () => setAsking(false);
  return (
    <Part
      title={t('credits.service')}
      actions={
        canChange && (
          <Button
            size="compact-sm"
            variant={paidActive ? 'default' : 'filled'}
            onClick={() => setAsking(true)}
          >
            {t(paidActive ? 'credits.serviceEnd' : 'credits.serviceStart')}
          </Button>
        )
      }
    >
      <Fact text="credits.trialUsed">
        <Count of={trialUsed} />
      </Fact>
      <Fact text="credits.perMonth">
        <Count of={creditsPerMonth} />
      </Fact>
      <Fact text="credits.renews">
        <Instant at={renewsAt} />
      </Fact>
      {isAsking &&
        (paidActive ? <EndDialog onClose={close} /> : <StartDialog wallet={wallet} onClose={close} />)}
    </Part>
  );
}

interface DialogProps {
  readonly onClose: () => void;
}

function StartDialog({ wallet, onClose }: PaidServiceProps & DialogProps) {
  const t = useText();
  return (
    <ConfirmDialog
      title={t('credits.serviceStart')}
      document={ActivatePaidServiceDocument}
      variables={{}}
      changes={['CreditEntry', 'ServiceRefusal']}
      toast={() => t('toast.serviceStarted')}
      onClose={onClose}
    >
      {t('credits.serviceStartText', { credits: wallet.creditsPerMonth })}
    </ConfirmDialog>
  );
}

function EndDialog({ onClose }: DialogProps) {
  const t = useText();
  return (
    <ConfirmDialog
      title={t('credits.serviceEnd')}
      document={DeactivatePaidServiceDocument}
      variables={{}}
      changes={['ServiceRefusal']}
      toast={() => t('toast.serviceEnded')}
      onClose={onClose}
    >
      {t('credits.serviceEndText')}
    </ConfirmDialog>
  );
}
