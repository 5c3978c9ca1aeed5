import { Navigate, useSearchParams } from 'react-router';
import { NotFound } from '../not-found.tsx';

/**
 * Replaces the page of a source or channel that does not exist. The deliveries of a deleted one stay in the log until they expire, so a link to one
 * leads to the log of all sources.
 */
export function GoneSource({ tab }: { readonly tab: string }) {
  const delivery = useSearchParams()[0].get('delivery');
  if (tab !== 'deliveries' || delivery === null) return <NotFound />;
  return <Navigate to={`/deliveries?${new URLSearchParams({ delivery })}`} replace />;
}
