// The package has no types.
declare module 'cluster-key-slot' {
  /** The slot (0 to 16383) of a key, or of its hash tag if it has one. */
  export default function calculateSlot(key: string): number;
}
