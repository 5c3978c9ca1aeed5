import { useMay } from '../../shell/me.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { LeadImportForm } from './lead-import-form.tsx';

export function LeadImportPage() {
  const mayChange = useMay('admin');
  return (
    <Page
      title="Import leads"
      crumbs={[{ label: 'Customers' }, { label: 'Leads', to: '/leads' }]}
      lead="Import leads from a CSV file, such as an export of another system. You see the effect before anything changes, and you can undo it."
    >
      {mayChange ? (
        <LeadImportForm />
      ) : (
        <Empty icon="lead" title="Only owners and admins can import">
          Ask an owner or admin of the account to do it.
        </Empty>
      )}
    </Page>
  );
}
