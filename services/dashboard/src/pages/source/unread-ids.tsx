import { Link } from 'react-router';
import { endpointPath } from '../../shell/page-links.ts';
import { parseJson } from '../../ui/parse-json.ts';
import { Note } from '../../ui/states.tsx';
import { counted, number } from '../../ui/words.ts';
import { useBodies } from './mapping/use-bodies.ts';

/** How many of the last bodies have an `external_id`, for a source that does not read it. */
export function UnreadIds({ sourceId }: { readonly sourceId: string }) {
  const bodies = useBodies(sourceId).items.flatMap(({ body }) => body ?? []);
  const having = bodies.filter(({ text }) => hasId(text)).length;
  if (having === 0) return null;
  return (
    <Note tone="info">
      {number(having)} of the last {counted(bodies.length, 'body', 'bodies')} have external_id, which this
      source does not read. If it identifies your events,{' '}
      <Link to={endpointPath(sourceId, 'settings')}>switch on External ids</Link>.
    </Note>
  );
}

function hasId(text: string): boolean {
  const parsed = parseJson(text);
  const id: unknown = 'value' in parsed ? Object(parsed.value.event).external_id : undefined;
  return typeof id === 'string' && id.trim() !== '';
}
