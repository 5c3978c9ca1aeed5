import { LEAD_TEXT_FIELDS } from '@sluice/dashboard-api/lead-names';
import type { LeadItem } from '@sluice/dashboard-api/leads';
import drawer from '../drawer/drawer.module.css';
import { Tags } from './lead-table.tsx';
import { fieldWord } from './lead-words.ts';
import classes from './leads.module.css';

/** The fields of a lead, for users who may not change them. */
export function LeadFacts({ lead }: { readonly lead: LeadItem }) {
  const own = Object.entries(lead.fields).map(([name, value]) => [name, String(value)] as const);
  const texts = LEAD_TEXT_FIELDS.map((name) => [fieldWord(name), lead[name] ?? ''] as const);
  return (
    <dl className={drawer.facts}>
      {[...texts, ...own]
        .filter(([, value]) => value !== '')
        .map(([name, value]) => (
          <div key={name} className={drawer.pair}>
            <dt>{name}</dt>
            <dd className={classes.text}>{value}</dd>
          </div>
        ))}
      <dt>Tags</dt>
      <dd>
        <Tags tags={lead.tags} />
      </dd>
    </dl>
  );
}
