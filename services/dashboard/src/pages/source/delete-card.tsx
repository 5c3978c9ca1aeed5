import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Card } from '../../ui/page.tsx';
import classes from './settings.module.css';

interface DeleteCardProps {
  readonly noun: 'source' | 'channel';
  /** Names the effects on the URL, the contents and the log, and deletes. */
  readonly dialog: (onClose: () => void) => ReactNode;
}

/** Leads to the deletion of a source or channel. */
export function DeleteCard({ noun, dialog }: DeleteCardProps) {
  const [asking, ask] = useDisclosure(false);
  return (
    <Card title={`Delete this ${noun}`}>
      <div className={classes.line}>
        <p className="dimmed">Its URL stops working permanently. To stop it for a while, switch it off.</p>
        <Button variant="outline" color="danger" onClick={ask.open}>
          Delete {noun}
        </Button>
      </div>
      {asking && dialog(ask.close)}
    </Card>
  );
}
