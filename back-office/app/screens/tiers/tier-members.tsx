import { Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { FailureView } from '../../design/failure-view.tsx';
import { JobBar } from '../../design/job-bar.tsx';
import { useAct } from '../../graph/use-act.ts';
import { useLive } from '../../graph/use-live.ts';
import { useScreen } from '../../graph/use-screen.ts';
import { useCan } from '../../graph/viewer.ts';
import { useText } from '../../messages/text.ts';
import { type Bar, Bars } from '../../plots/bars.tsx';
import {
  RecalculateTiersDocument,
  TierPreviewDocument,
  type TierPreviewQuery,
  TierRecalculationProgressDocument,
} from './generated/tiers.ts';
import type { TierRow } from './tier.dialog.tsx';

/** The number of members in each tier, and a preview of a recalculation. */
export function TierMembers({ tiers }: { readonly tiers: readonly TierRow[] }) {
  const t = useText();
  const [isRequested, setRequested] = useState(false);
  const { data, failure, isLoading } = useScreen(TierPreviewDocument, {}, !isRequested);
  const findingOf = useTierFinding();
  const act = useAct(RecalculateTiersDocument, [], ({ recalculateTiers }) => ({
    text: t('toast.recalculating'),
    begun: recalculateTiers.id,
  }));
  const [job, setJob] = useState<{
    id: string;
    state: string;
    processed: number;
    total?: number | null;
  } | null>(null);
  const progress = useLive(TierRecalculationProgressDocument, { id: job?.id ?? '' }, { pause: !job });
  const [canPreview, canRun] = [useCan('TierPreview'), useCan('RecalculateTiers')];
  const barsNow = highestFirst(tiers).map(({ id, name, memberCount }) => ({
    key: id,
    label: name,
    value: memberCount,
  }));
  const preview = data?.previewTierRecalculation;
  const shown = progress?.tierRecalculationProgress ?? job;
  return (
    <Stack>
      <Bars
        title={t('tiers.members')}
        unit={t('unit.members')}
        finding={
          preview
            ? t('tiers.changes', {
                ...{ up: preview.upgrades, down: preview.downgrades, same: preview.unchanged },
              })
            : findingOf(tiers)
        }
        head={t('liability.tier')}
        bars={preview ? barsOf(preview.byTier, t('tiers.noTier')) : barsNow}
        choice={
          <>
            {canPreview && (
              <Button
                size="compact-xs"
                variant="default"
                onClick={() => setRequested(true)}
                loading={isLoading}
              >
                {t('tiers.preview')}
              </Button>
            )}
            {canRun && preview && (
              <Button
                size="compact-xs"
                loading={act.isRunning}
                onClick={() => void act.run({}).then((done) => done && setJob(done.recalculateTiers))}
              >
                {t('tiers.recalculate')}
              </Button>
            )}
          </>
        }
      />
      {(failure ?? act.failure) && <FailureView failure={(failure ?? act.failure)!} />}
      {shown && <JobBar label={t('tiers.recalculate')} job={shown} />}
    </Stack>
  );
}

/** Returns a sentence with the largest tier. */
function useTierFinding() {
  const t = useText();
  return (tiers: readonly TierRow[]): string => {
    const most = tiers.reduce((one, other) => (other.memberCount > one.memberCount ? other : one));
    if (most.memberCount === 0) return t('tiers.nobody');
    return t('tiers.most', { tier: most.name, count: most.memberCount });
  };
}

const highestFirst = <Row extends { readonly rank: number }>(tiers: readonly Row[]): readonly Row[] =>
  [...tiers].sort((one, other) => other.rank - one.rank);

type Change = TierPreviewQuery['previewTierRecalculation']['byTier'][number];

/** Returns the bars, the highest tier first, members without a tier last. */
const barsOf = (changes: readonly Change[], noTier: string): Bar[] =>
  [...changes]
    .sort((one, other) => (other.tier?.rank ?? -1) - (one.tier?.rank ?? -1))
    .map(({ tier, membersBefore, membersAfter }) => ({
      key: tier?.id ?? 'none',
      label: tier?.name ?? noTier,
      value: membersBefore,
      after: membersAfter,
    }));
