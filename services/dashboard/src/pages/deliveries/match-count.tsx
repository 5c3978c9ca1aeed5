import { ROUTES } from '@sluice/dashboard-api/routes';
import { useRead } from '../../api/queries.ts';
import { counted } from '../../ui/words.ts';
import { type Filters, toQuery } from './filter.ts';

const EVERY_MS = 10_000;

interface MatchCountProps {
  /** Empty: all. */
  readonly sourceId: string;
  readonly filters: Filters;
}

/** How many deliveries match the filters, up to 10,000. */
export function MatchCount({ sourceId, filters }: MatchCountProps) {
  const { data } = useRead(
    ROUTES.deliveries.size,
    { query: toQuery(sourceId, filters) },
    { everyMs: EVERY_MS, keep: true },
  );
  if (data === undefined) return null;
  const { rows, more } = data;
  return (
    <span className="number">
      {more && 'more than '}
      {counted(rows, 'row')}
    </span>
  );
}
