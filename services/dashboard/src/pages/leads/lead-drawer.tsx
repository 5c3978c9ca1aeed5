import type { StageItem } from '@sluice/dashboard-api/pipeline';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useRead } from '../../api/queries.ts';
import { Drawer } from '../../ui/modal.tsx';
import { Loaded } from '../../ui/states.tsx';
import { LeadDetails } from './lead-details.tsx';

interface LeadDrawerProps {
  /** null: closed. */
  readonly leadId: string | null;
  readonly stages: readonly StageItem[];
  readonly onClose: () => void;
}

export function LeadDrawer({ leadId, stages, onClose }: LeadDrawerProps) {
  return (
    <Drawer opened={leadId !== null} onClose={onClose} title="Lead" size="40rem" returnFocus={false}>
      {leadId !== null && <Content key={leadId} leadId={leadId} stages={stages} onClose={onClose} />}
    </Drawer>
  );
}

interface ContentProps extends Omit<LeadDrawerProps, 'leadId'> {
  readonly leadId: string;
}

function Content({ leadId, stages, onClose }: ContentProps) {
  const lead = useRead(ROUTES.leads.show, { params: { leadId } });
  return (
    <Loaded query={lead}>{(item) => <LeadDetails lead={item} stages={stages} onErased={onClose} />}</Loaded>
  );
}
