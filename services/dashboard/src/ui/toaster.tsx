import {
  createContext,
  type FocusEvent,
  type MouseEvent,
  type ReactNode,
  useCallback,
  useContext,
  useRef,
  useState,
} from 'react';
import { Icon, type IconName } from './icons.tsx';
import classes from './toaster.module.css';

const SHOWN_MS = 7000;
/** The oldest one goes when another one comes. */
const MOST = 3;

interface ToastLook {
  readonly icon?: IconName;
  /** It stays until it is closed. For errors, and for links: nobody needs to hurry to follow one (WCAG 2.2.1). */
  readonly stays?: boolean;
}

type ShowToast = (message: ReactNode, look?: ToastLook) => void;
const ToastContext = createContext<ShowToast>(() => {});

/** Returns a function that shows a short message. */
export function useToast(): ShowToast {
  return useContext(ToastContext);
}

export function Toaster({ children }: { readonly children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly { id: string; message: ReactNode; icon: IconName }[]>([]);
  const close = useCallback((id: string) => setToasts((all) => all.filter((one) => one.id !== id)), []);
  const show = useCallback<ShowToast>(
    (message, { icon = 'check', stays = false } = {}) => {
      const id = crypto.getRandomValues(new Uint32Array(1)).join();
      setToasts((all) => [...all.slice(1 - MOST), { id, message, icon }]);
      if (!stays) setTimeout(() => close(id), SHOWN_MS);
    },
    [close],
  );
  const before = useRef<EventTarget>(null);
  const onFocus = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget as Node | null)) before.current = relatedTarget;
  };
  const onClose = (id: string) => {
    close(id);
    // The button goes, and the focus would go with it.
    (before.current as HTMLElement | null)?.focus();
  };
  // A message is not needed after its link was followed.
  const onClick = (event: MouseEvent, id: string) => {
    if ((event.target as Element).closest('a') !== null) close(id);
  };
  return (
    <ToastContext value={show}>
      {children}
      <div className={classes.stack} role="status" data-toasts onFocus={onFocus}>
        {toasts.map(({ id, message, icon }) => (
          // biome-ignore lint/a11y: the link inside handles the keys; a key on a link clicks it.
          <div key={id} className={classes.toast} onClick={(event) => onClick(event, id)}>
            <Icon name={icon} />
            <div className={classes.message}>{message}</div>
            <button
              type="button"
              className={classes.close}
              aria-label="Close message"
              onClick={() => onClose(id)}
            >
              <Icon name="cross" size={14} />
            </button>
          </div>
        ))}
      </div>
    </ToastContext>
  );
}
