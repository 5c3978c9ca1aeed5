import { Chip } from './chip.tsx';

/** Shows whether a source or channel is active. */
export function ActiveMark({ active }: { readonly active: boolean }) {
  return active ? (
    <Chip tone="ok" icon="check">
      active
    </Chip>
  ) : (
    <Chip tone="warn" icon="pause">
      inactive
    </Chip>
  );
}
