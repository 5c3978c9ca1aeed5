import { Button } from '@mantine/core';
import type { LeadQuery } from '@sluice/dashboard-api/leads';
import { Link } from 'react-router';
import { useMay } from '../../shell/me.tsx';
import { Empty } from '../../ui/states.tsx';
import { isFiltered } from './lead-query.ts';

interface NoLeadsProps {
  readonly query: LeadQuery;
  readonly onCreate: () => void;
  readonly onClear: () => void;
}

/** An empty list, with the ways to get a first lead. */
export function NoLeads({ query, onCreate, onClear }: NoLeadsProps) {
  const mayChange = useMay('admin');
  if (isFiltered(query))
    return (
      <Empty
        icon="search"
        title="No lead matches"
        actions={
          <Button variant="default" onClick={onClear}>
            Clear all filters
          </Button>
        }
      >
        The search finds beginnings of words and whole tags.
      </Empty>
    );
  if (!mayChange)
    return (
      <Empty icon="lead" title="No leads yet">
        Owners and admins of the account can create and import leads.
      </Empty>
    );
  return (
    <Empty
      icon="lead"
      title="No leads yet"
      actions={
        <>
          <Button onClick={onCreate}>Create a lead</Button>
          <Button component={Link} to="/leads/import" variant="default">
            Import a CSV file
          </Button>
          <Button component={Link} to="/settings/api-keys" variant="default">
            Create an API key
          </Button>
          <Button component={Link} to="/settings/channels" variant="default">
            Set up a channel
          </Button>
        </>
      }
    >
      Create one by hand, import a file, or send leads by API. A channel can make leads from conversations.
    </Empty>
  );
}
