import type { LeadFieldChange, LeadHistoryItem } from '@sluice/dashboard-api/leads';
import type { StageItem } from '@sluice/dashboard-api/pipeline';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { usePages } from '../../api/queries.ts';
import { Ago } from '../../ui/ago.tsx';
import { Listed, ShowMore } from '../../ui/states.tsx';
import history from '../events/event-history.module.css';
import { fieldWord } from './lead-words.ts';
import classes from './leads.module.css';

const PAGE = 20;

interface LeadHistoryProps {
  readonly leadId: string;
  readonly stages: readonly StageItem[];
}

/** Lists who changed what, newest first. */
export function LeadHistory({ leadId, stages }: LeadHistoryProps) {
  const log = usePages(ROUTES.leads.history, { params: { leadId }, query: { limit: PAGE } });
  return (
    <section className="stack-small" aria-labelledby="lead-history-title">
      <h2 id="lead-history-title">History</h2>
      <Listed list={log} rows={2} empty={null}>
        <ul className={history.history}>
          {log.items.map((item) => (
            <Entry key={item.sequence} item={item} stages={stages} />
          ))}
        </ul>
      </Listed>
      <ShowMore list={log} size="xs" />
    </section>
  );
}

const KIND_WORDS: Readonly<Record<string, string>> = {
  'lead.created': 'Created',
  'lead.updated': 'Changed',
  'lead.stage_changed': 'Moved',
  'lead.noted': 'Note',
};

interface EntryProps {
  readonly item: LeadHistoryItem;
  readonly stages: readonly StageItem[];
}

function Entry({ item, stages }: EntryProps) {
  const { at, kind, changes, note, imported } = item;
  return (
    <li data-change={item.sequence}>
      <div className="row breaks">
        <strong>{KIND_WORDS[kind] ?? kind}</strong>
        <span className="dimmed">
          by {actorWords(item)}
          {imported && ', import'}
        </span>
        <Ago at={at} inLog />
      </div>
      {changes.length > 0 && (
        <dl className={history.fields}>
          {changes.map((change) => (
            <ChangedField key={change.field} change={change} stages={stages} />
          ))}
        </dl>
      )}
      {note !== null && <p className={classes.text}>“{note}”</p>}
    </li>
  );
}

function actorWords({ actor: { type, id, name } }: LeadHistoryItem): string {
  switch (type) {
    case 'member':
      return name ?? 'a former member';
    case 'api_key':
      return `API key ${name ?? id}`;
    case 'source':
      return `channel ${name ?? id}`;
    case 'system':
      return id === 'cli' ? 'an admin on the command line' : 'Sluice';
  }
}

function ChangedField({
  change,
  stages,
}: {
  readonly change: LeadFieldChange;
  readonly stages: readonly StageItem[];
}) {
  const words = (value: string) =>
    change.field === 'stage' ? (stages.find(({ id }) => id === value)?.name ?? value) : value;
  return (
    <>
      <dt>{fieldWord(change.field)}</dt>
      <dd>
        {change.before !== null && <del>{words(change.before)}</del>}
        {change.after !== null && <ins>{words(change.after)}</ins>}
      </dd>
    </>
  );
}
