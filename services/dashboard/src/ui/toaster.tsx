import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';
import { Icon, type IconName } from './icons.tsx';
import classes from './toaster.module.css';

const SHOWN_MS = 7000;

type ShowToast = (message: ReactNode, icon?: IconName) => void;
const ToastContext = createContext<ShowToast>(() => {});

/** Returns a function that shows a short message. */
export function useToast(): ShowToast {
  return useContext(ToastContext);
}

export function Toaster({ children }: { readonly children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly { id: string; message: ReactNode; icon: IconName }[]>([]);
  const show = useCallback<ShowToast>((message, icon = 'check') => {
    const id = crypto.getRandomValues(new Uint32Array(1)).join();
    setToasts((all) => [...all.slice(-2), { id, message, icon }]);
    setTimeout(() => setToasts((all) => all.filter((one) => one.id !== id)), SHOWN_MS);
  }, []);
  return (
    <ToastContext value={show}>
      {children}
      <div className={classes.stack} role="status">
        {toasts.map(({ id, message, icon }) => (
          <div key={id} className={classes.toast}>
            <Icon name={icon} />
            <div>{message}</div>
          </div>
        ))}
      </div>
    </ToastContext>
  );
}
