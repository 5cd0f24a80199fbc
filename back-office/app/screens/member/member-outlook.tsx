import { Stack, Text } from '@mantine/core';
import { useIntl } from 'react-intl';
import { Fact, Part } from '../../design/part.tsx';
import { Count, Instant } from '../../design/values.tsx';
import { type TextKey, useText, useWord } from '../../messages/text.ts';
import type { ShownMember } from './shown-member.ts';

/** What the model says of a member; where it says nothing, why. */
export function Outlook({ member: { state, predictions } }: { readonly member: ShownMember }) {
  const t = useText();
  if (!state && !predictions) return null;
  return (
    <Part title={t('outlook.title')}>
      <Stack gap="xs">
        {state && <Signal text="outlook.purchase" of={state.purchase} />}
        {state && <Signal text="outlook.longGap" of={state.longGap} />}
        {state && <Signal text="outlook.cartRemoval" of={state.cartRemoval} />}
        {predictions && (
          <>
            <Fact text="outlook.nextOrder">
              {predictions.expectedNextOrderOn ? (
                <Instant at={predictions.expectedNextOrderOn} hasTime={false} />
              ) : (
                <Reason code={predictions.unavailableBecause} />
              )}
            </Fact>
            {predictions.nextOrder && <Certainty of={predictions.nextOrder} />}
            <Fact text="outlook.emailClick">
              {predictions.emailClickPropensity == null ? (
                <Reason code={predictions.emailClickUnavailableBecause} />
              ) : (
                <Count of={predictions.emailClickPropensity.toFixed(2)} />
              )}
            </Fact>
          </>
        )}
        {state && (
          <Text size="xs" c="dimmed">
            {t('outlook.asOf')} <Instant at={state.updatedAt} />
          </Text>
        )}
      </Stack>
    </Part>
  );
}

type Score = NonNullable<ShownMember['state']>['purchase'];

function Signal({ text, of }: { readonly text: TextKey; readonly of: Score }) {
  if (of.score == null)
    return (
      <Fact text={text}>
        <Reason code={of.reasons[0] ?? of.status} />
      </Fact>
    );
  return (
    <>
      <Fact text={text}>
        <Count of={of.score.toFixed(3)} />
      </Fact>
      <Notes codes={of.reasons} />
    </>
  );
}

/** What is to be known beside a score that there is. */
function Notes({ codes }: { readonly codes: readonly string[] }) {
  const t = useText();
  const { messages } = useIntl();
  return codes
    .map((code) => `note.${code}`)
    .filter((key) => key in messages)
    .map((key) => (
      <Text key={key} size="xs" c="dimmed">
        {t(key as TextKey)}
      </Text>
    ));
}

type NextOrder = NonNullable<NonNullable<ShownMember['predictions']>['nextOrder']>;

/** When most such orders come, and how much that is to be trusted. */
function Certainty({ of: { band, confidence } }: { readonly of: NextOrder }) {
  const t = useText();
  return (
    <Text size="xs" c="dimmed">
      {t('outlook.band')} <Instant at={band.fromOn} hasTime={false} /> –{' '}
      <Instant at={band.toOn} hasTime={false} />. {t(`confidence.${confidence}`)}
    </Text>
  );
}

/** The sentence for a code; a code that has none is shown itself. */
function Reason({ code }: { readonly code: string | null | undefined }) {
  const [t, word] = [useText(), useWord()];
  const { messages } = useIntl();
  const key = `reason.${code}`;
  return (
    <Text span size="sm" c="dimmed">
      {key in messages ? t(key as TextKey) : word(code ?? 'UNAVAILABLE')}
    </Text>
  );
}
