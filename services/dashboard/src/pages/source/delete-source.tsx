import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { SourceWithActivity } from '@sluice/dashboard-api/sources';
import { Card } from '../../ui/page.tsx';
import { DeleteSourceDialog } from './delete-source-dialog.tsx';
import classes from './settings.module.css';

/** Deletes the source after a dialog names what becomes of its URL, events and log. */
export function DeleteSource({ source }: { readonly source: SourceWithActivity }) {
  const [asking, ask] = useDisclosure(false);
  return (
    <Card title="Delete this source">
      <div className={classes.line}>
        <p className="dimmed">Its URL stops working permanently. To stop it for a while, switch it off.</p>
        <Button variant="outline" color="danger" onClick={ask.open}>
          Delete source
        </Button>
      </div>
      {asking && <DeleteSourceDialog source={source} onClose={ask.close} />}
    </Card>
  );
}
