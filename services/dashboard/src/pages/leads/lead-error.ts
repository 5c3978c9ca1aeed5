import { fieldError } from '../../api/api-error.ts';

/** The error of a field of a lead. A new lead is the whole body, a change is its patch. Errors point into either. */
export function errorOf(error: Error | null, name: string): string | undefined {
  return fieldError(error, `/${name}`) ?? fieldError(error, `/patch/${name}`);
}
