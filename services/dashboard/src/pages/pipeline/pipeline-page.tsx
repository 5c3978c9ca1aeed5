import { Button } from '@mantine/core';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { useMay } from '../../shell/me.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { PhoneRegion } from './phone-region.tsx';
import classes from './pipeline.module.css';
import { StageDialog } from './stage-dialog.tsx';
import { StageList } from './stage-list.tsx';

export function PipelinePage() {
  const mayChange = useMay('admin');
  const [adding, setAdding] = useState(false);
  const pipeline = useRead(ROUTES.pipeline.show, {});
  return (
    <Page
      title="Pipeline"
      crumbs={[{ label: 'Settings' }]}
      lead="The stages that a lead passes through. New leads start in the first stage unless they name another."
      actions={
        mayChange && (
          <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setAdding(true)}>
            Add stage
          </Button>
        )
      }
    >
      <Loaded query={pipeline}>
        {(data) => (
          <div className={classes.stack}>
            <Card flush>
              <StageList stages={data.stages} mayChange={mayChange} />
            </Card>
            <Card title="Phone numbers">
              <PhoneRegion region={data.phone_region} mayChange={mayChange} />
            </Card>
          </div>
        )}
      </Loaded>
      {adding && <StageDialog stage={null} onClose={() => setAdding(false)} />}
    </Page>
  );
}
