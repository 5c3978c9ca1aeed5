import { LEADS_COUNTED } from '@sluice/dashboard-api/limits';

/** `1 lead`, `12 leads`. */
export function leadsWords(count: number): string {
  return count === 1 ? '1 lead' : `${count.toLocaleString('en')} leads`;
}

/** The number of leads in a stage, which is counted up to a limit. */
export function countedWords(count: number): string {
  return count < LEADS_COUNTED ? leadsWords(count) : `${LEADS_COUNTED.toLocaleString('en')} leads or more`;
}
