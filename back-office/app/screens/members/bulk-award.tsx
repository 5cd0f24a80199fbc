import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog } from '../../design/form-dialog.tsx';
import { hasEnded, JobBar } from '../../design/job-bar.tsx';
import { useLive } from '../../graph/use-live.ts';
import { useScreen } from '../../graph/use-screen.ts';
import { useCan } from '../../graph/viewer.ts';
import { useText } from '../../messages/text.ts';
import { BulkAwardDialog, conditionsOf } from './bulk-award.dialog.tsx';
import {
  BulkAwardProgressDocument,
  type BulkAwardRowFragment,
  BulkAwardsDocument,
  CancelBulkAwardDocument,
} from './generated/bulk-award.ts';
import type { Bulk } from './members-bulk.tsx';
import type { MembersSearch } from './members-search.ts';

interface BulkAwardProps {
  readonly search: MembersSearch;
  readonly tiers: readonly { readonly id: string; readonly name: string }[];
  /** The award for selected members. Null: none. */
  readonly bulk: Bulk | null;
  readonly onClose: (isDone: boolean) => void;
  readonly onDone: () => void;
}

/** The award for all members of the list, if an award supports the filter, and the running awards. */
export function BulkAward({ search, tiers, bulk, onClose, onDone }: BulkAwardProps) {
  const t = useText();
  const [isOpen, setOpen] = useState(false);
  const [started, setStarted] = useState<BulkAwardRowFragment | null>(null);
  const canSee = useCan('BulkAwards', 'BulkAwardProgress');
  const canAward = useCan('StartBulkAward', 'PreviewBulkAward');
  const { data } = useScreen(BulkAwardsDocument, {}, !canSee);
  if (!canSee || !canAward) return null;
  const others = data?.bulkAwards.nodes.filter((job) => !hasEnded(job) && job.id !== started?.id) ?? [];
  return (
    <>
      {!search.search && !search.from && !search.to && (
        <Button variant="default" onClick={() => setOpen(true)} style={{ alignSelf: 'flex-start' }}>
          {t('bulk.award')}
        </Button>
      )}
      {[...(started ? [started] : []), ...others].map((job) => (
        <Progress key={job.id} job={job} onEnd={onDone} />
      ))}
      {isOpen && (
        <BulkAwardDialog
          recipients={conditionsOf(search)}
          tiers={tiers}
          onClose={() => setOpen(false)}
          onDone={(job) => {
            setOpen(false);
            setStarted(job);
          }}
        />
      )}
      {bulk?.act === 'award' && (
        <BulkAwardDialog
          recipients={{ memberIds: bulk.selected.rows.map(({ id }) => id) }}
          tiers={tiers}
          onClose={() => onClose(false)}
          onDone={(job) => {
            onClose(true);
            setStarted(job);
          }}
        />
      )}
    </>
  );
}

function Progress({ job, onEnd }: { readonly job: BulkAwardRowFragment; readonly onEnd: () => void }) {
  const t = useText();
  const [isConfirming, setConfirming] = useState(false);
  const canCancel = useCan('CancelBulkAward');
  const data = useLive(
    BulkAwardProgressDocument,
    { id: job.id },
    { onEvent: ({ bulkAwardProgress }) => hasEnded(bulkAwardProgress) && onEnd() },
  );
  const now = data?.bulkAwardProgress ?? job;
  return (
    <Group align="end" wrap="nowrap">
      <div style={{ flex: 1 }}>
        <JobBar label={t('bulk.awards', { amount: job.amount })} job={now} />
      </div>
      {canCancel && !hasEnded(now) && (
        <Button size="xs" variant="default" onClick={() => setConfirming(true)}>
          {t('bulk.cancel')}
        </Button>
      )}
      {isConfirming && (
        <ConfirmDialog
          title={t('bulk.cancel')}
          document={CancelBulkAwardDocument}
          variables={{ id: job.id }}
          onClose={() => setConfirming(false)}
          toast={() => ({ text: t('toast.awardStopped'), stopped: job.id })}
          danger={{ name: t('bulk.awards', { amount: job.amount }) }}
        >
          {t('bulk.cancelText', { succeeded: now.succeeded, total: now.total })}
        </ConfirmDialog>
      )}
    </Group>
  );
}
