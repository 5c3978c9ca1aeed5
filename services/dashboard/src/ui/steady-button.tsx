import type { ComponentProps, MouseEvent } from 'react';

type SteadyButtonProps = ComponentProps<'button'> & { readonly 'data-loading'?: boolean };

/**
 * The element of every Mantine button. While it loads it is not disabled, because a disabled element loses the focus. A click does
 * nothing then, and neither does Enter in its form.
 */
export function SteadyButton({ type = 'button', ...props }: SteadyButtonProps) {
  const loading = props['data-loading'] && { disabled: false, 'aria-disabled': true, onClick: ignore };
  return <button type={type} {...props} {...loading} />;
}

function ignore(event: MouseEvent): void {
  event.preventDefault();
}
