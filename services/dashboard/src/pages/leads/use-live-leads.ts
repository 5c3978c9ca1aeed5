import { ROUTES } from '@sluice/dashboard-api/routes';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useRead } from '../../api/queries.ts';

/** Changes appear within two seconds. One request reads a single document. */
const POLL_MS = 1500;

const SHOWN = [ROUTES.leads.list, ROUTES.leads.show, ROUTES.leads.history, ROUTES.pipeline.show];

/** Reloads what is shown about leads as soon as a lead of the account changes. A hidden tab does not poll. */
export function useLiveLeads(): void {
  const client = useQueryClient();
  const version = useRead(ROUTES.leads.version, {}, { everyMs: POLL_MS }).data?.version;
  const seen = useRef(version);
  useEffect(() => {
    const before = seen.current;
    seen.current = version;
    if (before === undefined || before === version) return;
    for (const { path } of SHOWN) void client.invalidateQueries({ queryKey: [path] });
  }, [version, client]);
}
