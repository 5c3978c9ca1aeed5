import { Button } from '@mantine/core';
import type { LeadItem } from '@sluice/dashboard-api/leads';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useState } from 'react';
import { useRead, useWrite } from '../../api/queries.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useToast } from '../../ui/toaster.tsx';
import drawer from '../drawer/drawer.module.css';
import { leadName } from './lead-words.ts';

interface EraseLeadProps {
  readonly lead: LeadItem;
  readonly onErased: () => void;
}

/** The size of one page of the list. */
const COUNTED = 200;

/** docs/managing-leads.md, Erasing a person. */
function Effect({ leadId }: { readonly leadId: string }) {
  const found = useRead(ROUTES.conversations.list, { query: { lead_id: leadId, limit: COUNTED } });
  const count = found.data?.items.length;
  const more = found.data?.next_cursor ? 'more than ' : '';
  const number = count === undefined ? '' : `${more}${count} `;
  return (
    <>
      <p>
        This removes the lead and its history permanently. Nobody can restore it.
        {count !== 0 &&
          ` The contact, subject, session data and messages of its ${number}${count === 1 ? 'conversation' : 'conversations'} are removed too.`}
      </p>
      <p className="dimmed">Backups, exported files and receivers of webhooks keep their copies.</p>
    </>
  );
}

/** Erases a person who asks to be forgotten. Only owners can. */
export function EraseLead({ lead, onErased }: EraseLeadProps) {
  const [asking, setAsking] = useState(false);
  const toast = useToast();
  const erase = useWrite(ROUTES.leads.erase, [ROUTES.leads.list, ROUTES.pipeline.show]);
  const name = leadName(lead);
  const onConfirm = () =>
    erase.mutate(
      { params: { leadId: lead.id } },
      {
        onSuccess: () => {
          setAsking(false);
          toast('The lead is erased.');
          onErased();
        },
      },
    );
  return (
    <div className={drawer.buttons}>
      <Button variant="outline" color="danger" onClick={() => setAsking(true)}>
        Erase lead
      </Button>
      <ConfirmDialog
        opened={asking}
        title={`Erase “${name}”?`}
        confirm="Erase permanently"
        pending={erase.isPending}
        error={erase.error}
        onConfirm={onConfirm}
        onClose={() => setAsking(false)}
      >
        <Effect leadId={lead.id} />
      </ConfirmDialog>
    </div>
  );
}
