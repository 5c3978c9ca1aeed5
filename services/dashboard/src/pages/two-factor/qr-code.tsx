import { encode } from 'uqr';
import classes from './two-factor.module.css';

/** The light border around the code, which scanners need (ISO/IEC 18004). */
const QUIET_ZONE = 4;

/** Draws a text as a QR code: one path of dark modules on white, in both themes, as scanners expect. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET_ZONE });
  return (
    <svg
      className={classes.qr}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path fill="#000" d={darkModules(data)} />
    </svg>
  );
}

function darkModules(rows: readonly (readonly boolean[])[]): string {
  return rows.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
}
