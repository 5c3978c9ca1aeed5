import type { DirectoryPort, MailboxPort } from '@sluice/outbound/publish/ports';
import type { PushedChange } from '@sluice/outbound/queue/push';

export interface KeptMessage {
  readonly messageId: string;
  readonly kind: string;
  readonly text: string;
}

/** The directory and the mailboxes of packages/outbound in memory, for one account. */
export class MemoryMailboxes implements DirectoryPort, MailboxPort {
  readonly pushes: (readonly PushedChange[])[] = [];
  readonly erased: string[] = [];
  readonly forgotten: string[] = [];
  fencedForMs = 0;
  fail: Error | undefined;
  beforePush: () => Promise<void> = async () => {};
  private readonly boxes = new Map<string, KeptMessage[]>();
  private readonly remembered = new Set<string>();
  /** 0: not published. */
  private current = 0;

  messagesIn(id: string): KeptMessage[] {
    const known = this.boxes.get(id) ?? [];
    this.boxes.set(id, known);
    return known;
  }
  kindsIn(id: string): string[] {
    return this.messagesIn(id).map(({ kind }) => kind);
  }
  async version(_accountId: string) {
    if (this.fail) throw this.fail;
    if (this.current === 0) return { status: 'absent' } as const;
    if (this.fencedForMs > 0) return { status: 'fenced', waitMs: this.fencedForMs } as const;
    return { status: 'version', version: String(this.current), leasesEndInMs: 0 } as const;
  }
  async renewVersion(_accountId: string) {
    this.current += 1;
  }
  async push(_accountId: string, version: string, given: Iterable<PushedChange>) {
    const changes = [...given];
    await this.beforePush();
    if (this.fail) throw this.fail;
    if (version !== String(this.current)) return { status: 'stale' } as const;
    this.pushes.push(changes);
    for (const { kind, text, to } of changes)
      for (const { subscriptionId, messageId } of to) {
        if (this.remembered.has(messageId)) continue;
        this.remembered.add(messageId);
        this.messagesIn(subscriptionId).push({ messageId, kind, text });
      }
    return { status: 'pushed' } as const;
  }
  async forget(_accountId: string, changes: readonly { readonly changeId: string }[]) {
    this.forgotten.push(...changes.map(({ changeId }) => changeId));
  }
  async eraseChanges(_accountId: string, changeIds: readonly string[]) {
    this.erased.push(...changeIds);
  }
}
