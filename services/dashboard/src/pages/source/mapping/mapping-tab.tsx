import { ROUTES } from '@sluice/dashboard-api/routes';
import type { Source } from '@sluice/dashboard-api/sources';
import { OWN_PRESET } from '@sluice/signature/sender/sender';
import { Link } from 'react-router';
import { useRead } from '../../../api/queries.ts';
import { endpointPath } from '../../../shell/page-links.ts';
import { onDemand } from '../../../ui/on-demand.tsx';
import { Card } from '../../../ui/page.tsx';
import { Empty, Loaded } from '../../../ui/states.tsx';

/** It brings the mapper, and with it the library of schemas, so it is fetched after the page. */
const MappingEditor = onDemand(async () => (await import('./mapping-editor.tsx')).MappingEditor);

/** The mapping of a source, with what it makes of the last bodies. */
export function MappingTab({ source }: { readonly source: Source }) {
  const isOwn = source.sender === OWN_PRESET;
  const sender = useRead(
    ROUTES.sources.sender,
    { params: { sourceId: source.source_id } },
    { enabled: !isOwn },
  );
  if (isOwn)
    return (
      <Card>
        <Empty icon="webhook" title="This source needs no mapping">
          Your own code sends actions of Sluice. If another system sends to it,{' '}
          <Link to={endpointPath(source.source_id, 'setup')}>change the sender</Link> first.
        </Empty>
      </Card>
    );
  return <Loaded query={sender}>{(data) => <MappingEditor source={source} sender={data} />}</Loaded>;
}
