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
