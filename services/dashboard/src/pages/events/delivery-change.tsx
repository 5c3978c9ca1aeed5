import { EVENT_FIELDS } from '@sluice/contract/event/event-fields';
import type { DeliveryItem } from '@sluice/dashboard-api/deliveries';
import type { ChangingField, DeliveryChange, FieldChange } from '@sluice/dashboard-api/event-changes';
import { outcomeMeaning } from '../../ui/chip.tsx';
import { localTime } from '../../ui/time.ts';
import classes from './event-history.module.css';

function wordOf(field: ChangingField): string {
  if (field === 'ends_at') return 'end';
  const { label } = EVENT_FIELDS[field];
  return label === label.toUpperCase() ? label : label.toLowerCase();
}

/** Larger changes are collapsed at first. */
const SHOWN_AT_ONCE = { fields: 3, characters: 300 };

interface ChangeProps {
  readonly change: DeliveryChange;
  readonly delivery: DeliveryItem;
}

/** Shows what a delivery changed in its event, and which changes are unknown. */
export function ChangeOfDelivery({ change, delivery }: ChangeProps) {
  const { fields, unknown } = change;
  return (
    <>
      {fields.length === 0 ? (
        unknown === null && <p className="dimmed small">{withoutFields(change, delivery)}</p>
      ) : (
        <details className={classes.change} open={isShort(change)}>
          <summary>{summaryOf(change)}</summary>
          <dl className={classes.fields}>
            {fields.map((field) => (
              <Field key={field.field} change={field} />
            ))}
          </dl>
        </details>
      )}
      {unknown !== null && <p className="dimmed small">{whyUnknown(change, delivery)}</p>}
    </>
  );
}

function isShort({ did, fields }: DeliveryChange): boolean {
  const characters = fields.reduce(
    (sum, { before, after }) => sum + `${before ?? ''}${after ?? ''}`.length,
    0,
  );
  const partly = did === 'updated' || did === 'cancelled';
  return partly && fields.length <= SHOWN_AT_ONCE.fields && characters <= SHOWN_AT_ONCE.characters;
}

function Field({ change: { field, before, after } }: { readonly change: FieldChange }) {
  return (
    <>
      <dt>{wordOf(field)}</dt>
      <dd>
        {typeof before === 'string' && <del>{shown(field, before)}</del>}
        {after !== null && <ins>{shown(field, after)}</ins>}
      </dd>
    </>
  );
}

function shown(field: ChangingField, value: string): string {
  return field === 'ends_at' ? localTime(value) : value;
}

const VERBS: Readonly<Record<DeliveryChange['did'], string>> = {
  created: 'Created with',
  brought_back: 'Restored with',
  updated: 'Changed',
  cancelled: 'Changed',
  deleted: 'Deleted with',
  nothing: 'Did not change',
};

function summaryOf({ did, fields, unknown }: DeliveryChange): string {
  const names = fields.map(({ field }) => wordOf(field));
  const list = names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  return `${did === 'updated' && unknown !== null ? 'Set' : VERBS[did]} ${list}`;
}

function withoutFields({ did }: DeliveryChange, { outcome }: DeliveryItem): string {
  switch (did) {
    case 'updated':
      return 'Same content as before, so nothing changed.';
    case 'cancelled':
      return 'The event was already cancelled, so nothing changed.';
    default:
      return outcomeMeaning(outcome);
  }
}

function whyUnknown({ did, fields, unknown }: DeliveryChange, { origin, preset }: DeliveryItem): string {
  const changed = fields.length > 0 ? 'other changes are unknown' : 'the changes are unknown';
  const notStored = preset === null ? 'was not stored' : 'was not stored, or its mapping was changed since';
  const what = did === 'deleted' ? 'The deleted content is unknown' : 'The previous content is unknown';
  switch (unknown) {
    case 'body_not_kept':
      return origin === 'webhook' || origin === 'dashboard'
        ? `The body of this delivery ${notStored}, so ${changed}.`
        : `Imported bodies are not stored, so ${changed}.`;
    case 'body_before_not_kept':
      return `${what}: the body of an earlier delivery ${notStored}.`;
    case 'before_left_log':
      return `${what}: the previous delivery has left the log.`;
    case 'before_not_listed':
      return `${what}: the previous delivery is older than those listed here.`;
    case null:
      return '';
  }
}
