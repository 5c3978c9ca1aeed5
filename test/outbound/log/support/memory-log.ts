import type {
  LogMove,
  LogQuery,
  OutboundChange,
  OutboundChanges,
} from '@sluice/store/outbound/outbound-changes';
import type { WebhookCursor, WebhookCursors } from '@sluice/store/outbound/webhook-cursors';

/** The log of changes as MongoDB keeps it. */
export class MemoryLog
  implements Pick<OutboundChanges, 'appendChanges' | 'moveChanges' | 'numbersOf' | 'lastNumber' | 'readLog'>
{
  readonly rows = new Map<string, OutboundChange & { number: number; again?: true }>();

  async appendChanges(changes: readonly OutboundChange[]) {
    const existing = new Map<string, number>();
    for (const change of changes) {
      const known = this.rows.get(change.change_id);
      if (known !== undefined) existing.set(change.change_id, known.number);
      else this.rows.set(change.change_id, { ...change, number: change.number ?? 0 });
    }
    return existing;
  }

  async moveChanges(moves: readonly LogMove[]) {
    for (const { change_id, from, number, again } of moves) {
      const row = this.rows.get(change_id);
      if (row?.number !== from) continue;
      row.number = number;
      if (again) row.again = true;
    }
    return this.numbersOf(moves.map(({ change_id }) => change_id));
  }

  async numbersOf(ids: readonly string[]) {
    return new Map(ids.flatMap((id) => this.rows.get(id) ?? []).map((row) => [row.change_id, row.number]));
  }

  async lastNumber() {
    return Math.max(0, ...[...this.rows.values()].map(({ number }) => number));
  }

  async readLog({ after, upTo, limit }: LogQuery) {
    const found = [...this.rows.values()].filter(({ number }) => number > after && number <= upTo);
    const changes = found.sort((a, b) => a.number - b.number).slice(0, limit);
    return { changes: changes.map((row) => ({ ...row })), more: changes.length < found.length };
  }
}

/** Cursors as MongoDB keeps them. */
export class MemoryCursors implements Pick<WebhookCursors, 'findCursors' | 'writeCursors'> {
  readonly cursors = new Map<string, WebhookCursor>();

  async findCursors(ids: readonly string[]) {
    return new Map(ids.flatMap((id) => this.cursors.get(id) ?? []).map((one) => [one.subscription_id, one]));
  }

  /** It is called without its object. */
  readonly writeCursors = async (cursors: readonly WebhookCursor[]) => {
    for (const one of cursors)
      if ((this.cursors.get(one.subscription_id)?.turn ?? 0) <= one.turn)
        this.cursors.set(one.subscription_id, one);
  };
}
