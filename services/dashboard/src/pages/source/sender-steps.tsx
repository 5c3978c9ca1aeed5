import type { Source } from '@sluice/dashboard-api/sources';
import { setUpOf } from '@sluice/signature/presets/set-up';
import { STEPS } from '@sluice/signature/presets/steps';
import { Link } from 'react-router';
import { endpointPath } from '../../shell/page-links.ts';
import { Card } from '../../ui/page.tsx';
import { Note } from '../../ui/states.tsx';

interface SenderStepsProps {
  readonly source: Source;
  readonly mayChange: boolean;
}

/** What to do at the platform, and what its signature does not protect. */
export function SenderSteps({ source: { source_id: id, sender }, mayChange }: SenderStepsProps) {
  const setUp = setUpOf(sender);
  if (setUp === undefined) return null;
  const steps = STEPS[sender as keyof typeof STEPS];
  return (
    <Card title={`Set up ${setUp.title}`}>
      <div className="stack">
        <ol className="steps breaks">
          {steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
          {mayChange && (
            <li>
              <Link to={endpointPath(id, 'test')}>Test</Link> sends a body like this sender.{' '}
              <Link to={endpointPath(id, 'mapping')}>Mapping</Link> shows what becomes of each body, and lets
              you change it.
            </li>
          )}
        </ol>
        {setUp.signs !== 'time and body' && <Note tone="warn">{CAUTIONS[setUp.signs]}</Note>}
      </div>
    </Card>
  );
}

const CAUTIONS = {
  body: 'This sender signs no time. Anyone who records a request can send it again later.',
  nothing:
    'This sender signs nothing. Only TLS protects the body, and anyone who records a request can send it again.',
};
