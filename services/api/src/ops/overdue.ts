/** Dispatchers take what is due within milliseconds, and after a kill within 10 s. */
const OVERDUE_MS = 30_000;

/** Whether what is due has waited so long that no dispatcher can be at work. null: nothing waits. */
export function isOverdue(oldestDueMs: number | null): oldestDueMs is number {
  return oldestDueMs !== null && oldestDueMs >= OVERDUE_MS;
}
