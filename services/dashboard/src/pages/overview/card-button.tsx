import { UnstyledButton } from '@mantine/core';

interface CardButtonProps {
  readonly children: string;
  readonly onClick: () => void;
  /** Where the words on it say too little. */
  readonly label?: string;
  /** Of one that switches something. */
  readonly pressed?: boolean;
}

/** What can be done with the content of a card, beside its title. */
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
