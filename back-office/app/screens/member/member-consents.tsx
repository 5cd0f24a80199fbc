import { Stack, Switch } from '@mantine/core';
import { useState } from 'react';
import { Part } from '../../design/part.tsx';
import { Instant } from '../../design/values.tsx';
import { useCan } from '../../graph/viewer.ts';
import { useText, useWord } from '../../messages/text.ts';
import { GrantDialog, WithdrawDialog } from './consent.dialogs.tsx';
import type { ShownMember } from './shown-member.ts';

type Consent = ShownMember['consents'][number];

/** What the member agreed to, since when and how. */
export function Consents({ member }: { readonly member: ShownMember }) {
  const [t, word] = [useText(), useWord()];
  const [open, setOpen] = useState<Consent | null>(null);
  const canSet = useCan('SetMemberConsent');
  const ChangeDialog = open?.isGranted ? WithdrawDialog : GrantDialog;
  return (
    <Part title={t('member.consents')}>
      <Stack gap="xs">
        {member.consents.map((consent) => (
          <Switch
            key={consent.purpose}
            label={word(consent.purpose)}
            description={<Decided consent={consent} history={member.consentHistory.nodes} />}
            checked={consent.isGranted}
            disabled={!canSet}
            onChange={() => setOpen(consent)}
          />
        ))}
      </Stack>
      {open && <ChangeDialog member={member} purpose={open.purpose} onClose={() => setOpen(null)} />}
    </Part>
  );
}

interface DecidedProps {
  readonly consent: Consent;
  /** The newest first. */
  readonly history: ShownMember['consentHistory']['nodes'];
}

function Decided({ consent: { purpose, isGranted, changedAt }, history }: DecidedProps) {
  const t = useText();
  if (!changedAt) return t(isGranted ? 'consent.default' : 'consent.never');
  const source = history.find((change) => change.purpose === purpose)?.source;
  return (
    <>
      <Instant at={changedAt} hasTime={false} />
      {source && ` · ${source}`}
    </>
  );
}
