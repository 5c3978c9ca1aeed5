import { ROUTES } from '@sluice/dashboard-api/routes';
import type { SourceWithActivity } from '@sluice/dashboard-api/sources';
import { useWrite } from '../../api/queries.ts';
import { Card } from '../../ui/page.tsx';
import { SourceSwitch } from '../sources/source-switch.tsx';
import { AboutCard } from './about-card.tsx';
import { DeleteCard } from './delete-card.tsx';
import { DeleteSourceDialog } from './delete-source-dialog.tsx';
import classes from './settings.module.css';
import { SettingsForm } from './settings-form.tsx';

interface SettingsProps {
  readonly source: SourceWithActivity;
  readonly mayChange: boolean;
}

export function Settings({ source, mayChange }: SettingsProps) {
  return (
    <div className={classes.stack}>
      <Card title="Active">
        <div className={classes.line}>
          <p className="dimmed">An inactive source responds to every request with 403.</p>
          <SourceSwitch source={source} mayChange={mayChange} />
        </div>
      </Card>
      <Card title="Settings">
        <SourceForm key={source.source_id} source={source} mayChange={mayChange} />
      </Card>
      <AboutCard what="source" id={source.source_id} createdAt={source.created_at} />
      {mayChange && (
        <DeleteCard
          noun="source"
          dialog={(onClose) => <DeleteSourceDialog source={source} onClose={onClose} />}
        />
      )}
    </div>
  );
}

function SourceForm({ source, mayChange }: SettingsProps) {
  const save = useWrite(ROUTES.sources.settings, [ROUTES.sources.show, ROUTES.sources.list]);
  const params = { sourceId: source.source_id };
  return (
    <SettingsForm
      of={source}
      mayChange={mayChange}
      save={save}
      onSave={(body, onSuccess) => save.mutate({ params, body }, { onSuccess })}
    />
  );
}
