import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { SourceWithActivity } from '@sluice/dashboard-api/sources';
import { dialogOnDemand } from '../../ui/on-demand.tsx';
import { Card } from '../../ui/page.tsx';
import { Note } from '../../ui/states.tsx';
import { setUpOf } from './senders.ts';
import classes from './set-up.module.css';

const ChangeSenderDialog = dialogOnDemand(
  async () => (await import('./change-sender-dialog.tsx')).ChangeSenderDialog,
);

interface SenderFieldProps {
  readonly source: SourceWithActivity;
  readonly mayChange: boolean;
}

/** Names what sends to a source. An admin can change it. */
export function SenderField({ source, mayChange }: SenderFieldProps) {
  const [changing, change] = useDisclosure(false);
  return (
    <div className={classes.value}>
      <span>{setUpOf(source.sender)?.title ?? 'My own code, with the signature of Sluice'}</span>
      {mayChange && (
        <Button variant="default" size="xs" onClick={change.open}>
          Change sender
        </Button>
      )}
      {changing && <ChangeSenderDialog opened source={source} onClose={change.close} />}
    </div>
  );
}

/** What to do at the platform, and what its signature does not protect. */
export function SenderSteps({ preset }: { readonly preset: string }) {
  const setUp = setUpOf(preset);
  if (setUp === undefined) return null;
  return (
    <Card title={`Set up ${setUp.title}`}>
      <ol className={classes.steps}>
        {setUp.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      {setUp.signs !== 'time and body' && <Note tone="warn">{CAUTIONS[setUp.signs]}</Note>}
    </Card>
  );
}

const CAUTIONS = {
  body: 'This sender signs no time. Anyone who records a request can send it again later.',
  nothing:
    'This sender signs nothing. Only TLS protects the body, and anyone who records a request can send it again.',
};
