import { leadKeys } from '@sluice/leads/fields/lead-keys';
import type { Store } from '@sluice/store/connect';
import type { Lead } from '@sluice/store/leads/lead-document';
import { ACCOUNT } from './sources.ts';

const FIRST_NAMES = 'Ada Zoë Łukasz Michelle Jürgen Amélie Noor Sven Chiara Diego Mei Olga'.split(' ');
const SYLLABLES = 'ba ber dor fel gra hol kin lam mor ner pol ros sta tor vel win'.split(' ');
const COMPANIES =
  'Analytical Engines,Nordwind Energie,Café Lumière,Baltic Timber,Orchid Travel,Kupfer und Söhne'.split(',');
const TAGS = ['newsletter', 'autumn fair', 'webinar', 'partner', 'trial'];
const STAGES = ['stg_new', 'stg_new', 'stg_contacted', 'stg_qualified', 'stg_won', 'stg_lost'];

/** Three syllables: 4,096 last names, each of one lead in 4,096. */
function lastName(number: number): string {
  const at = (place: number) => SYLLABLES[Math.floor(number / SYLLABLES.length ** place) % SYLLABLES.length];
  return `${at(0)}${at(1)}${at(2)}`;
}

/** A spread of the numbers, so that neighbours differ. */
const mixed = (number: number): number => (number * 2_654_435_761) % 4_294_967_296;

/** The lead with this number, of some 300 bytes of JSON. One a second was made. */
export function storedLead(number: number): Lead {
  const some = mixed(number);
  const first = FIRST_NAMES[some % FIRST_NAMES.length] as string;
  const last = lastName(Math.floor(some / 7));
  const at = Date.UTC(2026, 0, 1) + number * 1000;
  return {
    lead_id: `lead_${number.toString(36).padStart(22, '0')}`,
    account_id: ACCOUNT,
    name: `${first} ${last}`,
    company: `${COMPANIES[some % COMPANIES.length]} ${some % 500}`,
    email: `${last}.${number}@example${some % 300}.com`,
    phone: `+49 30 ${String(1_000_000 + (some % 8_999_999))}`,
    phone_e164: `+4930${1_000_000 + (some % 8_999_999)}`,
    tags: [TAGS[some % TAGS.length] as string],
    fields: new Map<string, string | number>([
      ['budget', some % 10_000],
      ['city', 'Ghent'],
    ]),
    note: 'Asked for an offer at the fair. Call back on Thursday.',
    stage: STAGES[some % STAGES.length] as string,
    origin: 'api',
    conversation_id: null,
    created_at: at,
    updated_at: at,
    stage_changed_at: at,
    revision: 1,
    sequence: at * 1000,
    claims: [],
    untold: [],
  };
}

const BATCH = 500;

/** Stores the leads with the numbers from `from` to before `to`, as told leads. `progress` gets the number stored so far. */
export async function storeLeads(
  { leads }: Pick<Store, 'leads'>,
  from: number,
  to: number,
  progress: (stored: number) => void = () => {},
): Promise<void> {
  for (let first = from; first < to; first += BATCH) {
    const some = Array.from({ length: Math.min(BATCH, to - first) }, (_, i) => storedLead(first + i));
    const outcomes = await leads.writeLeads(
      some.map((lead) => ({ lead, keys: leadKeys(lead, null), changes: [] })),
    );
    const isStored = (outcome: (typeof outcomes)[number]) =>
      'status' in outcome && outcome.status === 'stored';
    if (!outcomes.every(isStored)) throw new Error('a lead could not be stored');
    progress(first + some.length);
  }
}
