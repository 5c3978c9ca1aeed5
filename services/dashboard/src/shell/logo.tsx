export function Logo({ size = 26 }: { readonly size?: number }) {
  return <img src="/favicon.svg" width={size} height={size} alt="" />;
}
