import { UnstyledButton } from '@mantine/core';

interface CardButtonProps {
  readonly children: string;
  readonly onClick: () => void;
  /** An accessible name, if the text alone is too short. */
  readonly label?: string;
  /** The state of a toggle button. */
  readonly pressed?: boolean;
}

/** A button beside the title of a card. */
export function CardButton({ children, onClick, label, pressed }: CardButtonProps) {
  return (
    <UnstyledButton
      className="small"
      fz="inherit"
      onClick={onClick}
      {...(label !== undefined && { 'aria-label': label })}
      {...(pressed !== undefined && { 'aria-pressed': pressed })}
    >
      <u>{children}</u>
    </UnstyledButton>
  );
}

/** The numbers of a chart as CSV (RFC 4180), times in UTC; a gap is an empty field. */
export function chartCsv(
  series: readonly { readonly key: string; readonly label: string }[],
  rows: readonly Readonly<Record<string, string | number | null>>[],
): string {
  const lines = rows.map((row) => [row.at ?? '', ...series.map(({ key }) => row[key] ?? '')]);
  return csvOf([['time', ...series.map(({ label }) => label)], ...lines]);
}

/** Rows of fields as CSV (RFC 4180). */
export function csvOf(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((fields) => `${fields.map(field).join(',')}\r\n`).join('');
}

function field(value: string | number): string {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
