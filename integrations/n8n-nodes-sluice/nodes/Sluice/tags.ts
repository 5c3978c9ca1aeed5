/** A tag that is not a text, such as an object from an expression. */
export interface WrongTag {
	readonly wrong: unknown;
}

/** The tags of a list or of a text with commas. Empty ones are left out. */
export function tagsOf(tags: unknown): string[] | WrongTag {
	const list: unknown[] = Array.isArray(tags) ? tags : [tags];
	const wrongAt = list.findIndex((tag) => typeof tag !== 'string' && typeof tag !== 'number');
	if (wrongAt >= 0) return { wrong: list[wrongAt] };
	const texts = Array.isArray(tags) ? list.map(String) : String(tags).split(',');
	return texts.map((tag) => tag.trim()).filter((tag) => tag !== '');
}
