import { CommandError } from '../errors.ts';
import { newDocument, newDocumentFromBytes } from '../storage/new-document.ts';
import { type Command, documentsField, namespaceOf } from './command.ts';
import { duplicateError, runStatements, writeErrorsField } from './write-errors.ts';

/** `insert` (manual, "insert (database command)"). */
export const insert: Command = {
  fields: ['documents', 'ordered'],
  run(request, { catalog }) {
    const namespace = namespaceOf(request);
    const documents = documentsField(request, 'documents', {
      fields: newDocument,
      bytes: newDocumentFromBytes,
    });
    checkBatch(documents.length);
    const collection = catalog.ensure(namespace);
    let inserted = 0;
    const errors = runStatements(documents.length, request.body.ordered !== false, (index) => {
      const created = documents[index]?.();
      if (!created) return;
      const outcome = collection.insert(created.bytes);
      if (outcome.status === 'duplicate') throw duplicateError(namespace, outcome);
      inserted++;
    });
    return [['n', inserted], ...writeErrorsField(errors)];
  },
};

/** hello returns the same number. */
export const MAX_WRITE_BATCH = 100_000;

export function checkBatch(size: number): void {
  if (size >= 1 && size <= MAX_WRITE_BATCH) return;
  throw new CommandError(
    'BadValue',
    `Write batch sizes must be between 1 and ${MAX_WRITE_BATCH}. Got ${size} operations.`,
  );
}
