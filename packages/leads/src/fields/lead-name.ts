import type { Lead } from '@sluice/store/leads/lead-document';

/** Returns the first of the name, email and phone number that a lead has, or its id. */
export function leadName({
  name,
  email,
  phone,
  lead_id,
}: Pick<Lead, 'name' | 'email' | 'phone' | 'lead_id'>): string {
  return name ?? email ?? phone ?? lead_id;
}
