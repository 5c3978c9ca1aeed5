/** A number for a field of text, such as a phone number from a sheet, becomes a text. Other values stay. */
export function asText(value: unknown): unknown {
	return typeof value === 'number' ? String(value) : value;
}
