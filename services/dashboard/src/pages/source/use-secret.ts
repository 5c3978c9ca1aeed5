import { ROUTES } from '@sluice/dashboard-api/routes';
import { useWrite } from '../../api/queries.ts';
import { useShownSecret } from '../../ui/use-shown-secret.ts';

/** Reads the signing secret of a source or channel and keeps it while it is shown. */
export function useSecret(sourceId: string) {
  const { mutateAsync, reset, error, isPending } = useWrite(ROUTES.sources.revealSecret);
  const shown = useShownSecret(async () => {
    const { signing_secret: text } = await mutateAsync({ params: { sourceId } });
    reset();
    return text;
  });
  return { ...shown, error, isPending };
}
