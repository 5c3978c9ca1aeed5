import type { mongo } from 'mongoose';

/** The beginning of a list. */
export interface Beginning<Document> {
  readonly documents: readonly Document[];
  /** Whether further documents follow. */
  readonly more: boolean;
}

/**
 * Reads as many documents as the server puts into one batch: `limit`, or fewer that have at most 16 MiB together. So a page of large
 * documents does not fill the memory of this process.
 */
export async function firstBatch<Document>(
  cursor: mongo.FindCursor<Document>,
  limit: number,
): Promise<Beginning<Document>> {
  cursor.limit(limit).batchSize(limit);
  try {
    const first = await cursor.next();
    if (first === null) return { documents: [], more: false };
    const documents = [first, ...cursor.readBufferedDocuments()];
    return { documents, more: documents.length === limit || cursor.id?.isZero() === false };
  } finally {
    await cursor.close();
  }
}
