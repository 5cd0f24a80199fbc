import { Stack, Switch } from '@mantine/core';
import { Part } from '../../../design/part.tsx';
import { FailureView } from '../../../design/screen.tsx';
import { useAct } from '../../../graph/use-act.ts';
import { useCan } from '../../../graph/viewer.ts';
import { useText, useWord } from '../../../messages/text.ts';
import { SetMemberConsentDocument } from '../acts/generated/member-acts.ts';
import type { ShownMember } from '../shown-member.ts';

/** What the member agreed to. */
export function Consents({ member: { id, consents } }: { readonly member: ShownMember }) {
  const [t, word] = [useText(), useWord()];
  const act = useAct(SetMemberConsentDocument);
  const canSet = useCan('SetMemberConsent');
  return (
    <Part title={t('member.consents')}>
      <Stack gap="xs">
        {consents.map(({ purpose, isGranted }) => (
          <Switch
            key={purpose}
            label={word(purpose)}
            checked={isGranted}
            disabled={!canSet || act.isRunning}
            onChange={() => void act.run({ memberId: id, purpose, granted: !isGranted })}
          />
        ))}
        {act.failure && <FailureView failure={act.failure} />}
      </Stack>
    </Part>
  );
}
