import { type FieldError, fieldOf } from './problem.ts';

/** How many wrong fields the sentence names. The list `errors` has all of them. */
const NAMED = 3;

/**
 * The detail of `validation_failed`: what is wrong with each field, and then what to do. Many clients, such as the nodes of
 * n8n, show only the message of an error and not its list. Those that show both look for `field: detail` in the message.
 */
export function detailOfFields(todo: string, errors: readonly FieldError[]): string {
  const named = errors.slice(0, NAMED).map((error) => {
    const field = fieldOf(error);
    return ended(field === '' ? error.detail : `${field}: ${error.detail}`);
  });
  const more = errors.length - named.length;
  return [...named, ...(more > 0 ? [`And ${more} more.`] : []), todo].join(' ');
}

/** An example at the end has no full stop in the list of errors, so that it can be copied. A sentence needs one before the next. */
function ended(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
