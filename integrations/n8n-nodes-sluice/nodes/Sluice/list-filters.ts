import type { IDataObject } from 'n8n-workflow';

/** These name one person. */
const IDENTITIES = ['email', 'phone', 'external_id', 'lead_id'];

const INSTANTS = ['updated_since', 'starts_from', 'starts_until'];

/**
 * The query of the filters that the user added. Undefined: no record matches, because no filter that names one person has a
 * value. They came from expressions; without them, the list would have other people's records. Any other filter without a
 * value selects all.
 */
export function listFilters(filters: IDataObject): IDataObject | undefined {
	const added = Object.entries(filters);
	const identities = added.filter(([name]) => IDENTITIES.includes(name));
	if (identities.length > 0 && identities.every(([, value]) => isBlank(value))) return undefined;
	const chosen = added.filter(([, value]) => !isBlank(value));
	return Object.fromEntries(
		chosen.map(([name, value]) => [
			name,
			INSTANTS.includes(name) ? utcInstant(value) : trimmed(value),
		]),
	);
}

/** The API reads a phone number that begins with a space as one with a bare plus. */
function trimmed(value: IDataObject[string]): IDataObject[string] {
	return typeof value === 'string' ? value.trim() : value;
}

/** Whether a parameter has no value. */
export function isBlank(value: unknown): boolean {
	return value === undefined || value === null || String(value).trim() === '';
}

const WITHOUT_OFFSET = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)$/;

/**
 * n8n's date field gives a time without an offset, which is UTC as in the resource Event, or a time with one. The API takes
 * ISO 8601 with an offset.
 */
function utcInstant(value: IDataObject[string]): IDataObject[string] {
	const at = new Date(String(value).trim().replace(WITHOUT_OFFSET, '$1T$2Z'));
	return Number.isNaN(at.getTime()) ? value : at.toISOString();
}
