import { ROUTES } from '@sluice/dashboard-api/routes';
import { useEffect, useEffectEvent, useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { toQuery } from '../deliveries/filter.ts';
import { ReprocessMatchingDialog } from '../deliveries/reprocess-matching-dialog.tsx';

interface RejectedMeanwhileProps {
  readonly sourceId: string;
  readonly onClose: () => void;
}

const FILTERS = { code: 'source_inactive' } as const;

/** Offers to reprocess what an inactive source rejected. Shows nothing if there is nothing to reprocess. */
export function RejectedMeanwhile({ sourceId, onClose }: RejectedMeanwhileProps) {
  const { data } = useRead(ROUTES.deliveries.count, { query: toQuery(sourceId, FILTERS) });
  // The number changes while the dialog works, and must not close it.
  const [isOffered, setOffered] = useState(false);
  const hasSome = data !== undefined && data.reprocessable > (data.done ?? 0);
  if (hasSome && !isOffered) setOffered(true);
  // Otherwise a later reload of the number would open the dialog out of nothing.
  const isOff = data !== undefined && !hasSome && !isOffered;
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (isOff) close();
  }, [isOff]);
  if (!isOffered) return null;
  return (
    <ReprocessMatchingDialog
      sourceId={sourceId}
      filters={FILTERS}
      title="Reprocess what was rejected meanwhile?"
      onClose={onClose}
    />
  );
}
