import { hash } from 'node:crypto';
import type { Actor } from '@sluice/contract/message/change';
import type { LeadImportRows, LeadsImported } from '@sluice/dashboard-api/lead-imports';
import type { LeadImports, NotedPart, StoredLeadImport } from '@sluice/store/imports/lead-imports';
import { createLead } from '../change/create-lead.ts';
import { wrongField } from '../change/wrong-field.ts';
import type { LeadDeps } from '../deps.ts';
import { possibleMatches } from '../match/find-match.ts';
import { type ReadLeadRow, readLeadRow } from './read-lead-row.ts';

export interface ImportLeadsDeps {
  readonly leadDeps: LeadDeps;
  readonly leadImports: Pick<LeadImports, 'notePart' | 'findImport'>;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

export interface ImportLeads extends LeadImportRows {
  readonly accountId: string;
  /** The importing user as shown: an email address, or the command line. */
  readonly by: string;
  readonly actor: Actor;
}

export interface ImportedLeads {
  readonly result: LeadsImported;
  /** For the audit log: all parts of the import so far. Undefined if no lead was created or matched. */
  readonly deed:
    | {
        readonly action: 'leads.imported';
        readonly target: { readonly id: string; readonly name: string };
        readonly detail: string;
        readonly ongoing: string;
      }
    | undefined;
}

/**
 * Creates and changes leads by rows of a file. Idempotent: a row of an `import_id` that changed its lead has one effect, also if others
 * change the lead before the row is repeated. A row that changed nothing is compared again. Throws if the store is unavailable; then repeat it.
 */
export async function importLeads(deps: ImportLeadsDeps, wanted: ImportLeads): Promise<ImportedLeads> {
  const { leadImports, now } = deps;
  const { accountId, by, import_id, file_name, match_on, rows } = wanted;
  const note = (ids: Pick<NotedPart, 'lead_ids' | 'new_ids'>) =>
    leadImports.notePart({
      account_id: accountId,
      by,
      at: now(),
      import_id,
      file_name,
      ...ids,
      first_row: rows[0]?.row ?? 1,
      last_row: rows.at(-1)?.row ?? 1,
    });
  const settings = await deps.leadDeps.settings.readFresh(accountId);
  const readRows = rows.map((row) => readLeadRow(row, settings));
  const readable = readRows.filter((read) => read.outcome === 'readable');
  const inputs = readable.map(({ input }) => input);
  const found = await possibleMatches(deps.leadDeps, { accountId, inputs, matchOn: match_on }, settings);
  const matches = [...found, ...readable.flatMap(({ leadId }) => leadId ?? [])];
  // Recorded before any row has its effect: an import without a record could not be undone.
  const new_ids = [...rows.map(({ row }) => newLeadId(wanted, row)), ...matches];
  const isRepeat = await note({ lead_ids: [], new_ids });
  const noted = new Set(new_ids);
  // Another process may have made the lead just now.
  const noteMatched = async (leadId: string) => {
    if (noted.has(leadId)) return;
    await note({ lead_ids: [leadId] });
    noted.add(leadId);
  };
  const { leadIds, ...result } = await importAll(deps, wanted, { readRows, isRepeat, noteMatched });
  await note({ lead_ids: leadIds, new_ids: [] });
  const whole = await leadImports.findImport(accountId, import_id);
  return { result, deed: whole === undefined ? undefined : importedDeed(whole) };
}

function importedDeed(whole: StoredLeadImport): ImportedLeads['deed'] {
  const { import_id, file_name, first_row, last_row, lead_ids } = whole;
  if (lead_ids.length === 0) return undefined;
  return {
    action: 'leads.imported',
    target: { id: import_id, name: file_name },
    detail: `rows ${first_row} to ${last_row}: ${lead_ids.length} leads`,
    ongoing: import_id,
  };
}

interface Imported extends LeadsImported {
  /** The leads that the rows created or matched. */
  readonly leadIds: readonly string[];
}

interface Part {
  readonly readRows: readonly ReadLeadRow[];
  /** An earlier request had these rows. */
  readonly isRepeat: boolean;
  /** Records a lead before a row changes it. */
  readonly noteMatched: (leadId: string) => Promise<void>;
}

/** Row after row, because two rows can be about the same lead. */
async function importAll(
  { leadDeps }: ImportLeadsDeps,
  wanted: ImportLeads,
  { readRows, isRepeat, noteMatched }: Part,
): Promise<Imported> {
  const { accountId, import_id, match_on: matchOn } = wanted;
  const counts = { created: 0, changed: 0, unchanged: 0 };
  const refused: LeadsImported['refused'] = [];
  const leadIds: string[] = [];
  const actor = { ...wanted.actor, import_id };
  for (const read of readRows) {
    const { row } = read;
    if (read.outcome === 'bad') {
      refused.push({ row, detail: read.errors.map(inWords).join(' ') });
      continue;
    }
    const written = await createLead(leadDeps, {
      accountId,
      input: read.input,
      matchOn,
      leadId: read.leadId,
      actor,
      origin: 'import' as const,
      ids: { lead: newLeadId(wanted, row) },
      isRepeat,
      requestId: nameOf(wanted, row),
      beforeChange: noteMatched,
    });
    switch (written.status) {
      case 'created':
      case 'changed':
      case 'unchanged':
        counts[written.status] += 1;
        leadIds.push(written.lead.lead_id);
        break;
      case 'erased':
        refused.push({ row, detail: 'The lead of this row was erased. Import the file again.' });
        break;
      default:
        refused.push({ row, detail: inWords(wrongField(written)) });
    }
  }
  const { created, changed, unchanged } = counts;
  return { created, updated: changed, unchanged, refused, leadIds };
}

/** The same row of the same import has the same id, so a repeated request makes no second lead. */
function newLeadId(wanted: ImportLeads, row: number): string {
  return `lead_${nameOf(wanted, row).slice(0, 32)}`;
}

/** Names a row of an import. A change keeps it, so a repeated request finds what it has changed. */
function nameOf({ accountId, import_id }: ImportLeads, row: number): string {
  return hash('sha256', JSON.stringify([accountId, import_id, row]), 'hex');
}

function inWords({ field, detail }: { readonly field: string | null; readonly detail: string }): string {
  return field === null ? detail : `${field}: ${detail}`;
}
