import { Button } from '@mantine/core';
import { useState } from 'react';
import { ErrorNote } from './states.tsx';

interface NextPage {
  readonly error: Error | null;
  readonly isFetchNextPageError: boolean;
}

interface ShowMoreProps {
  readonly list: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => Promise<NextPage>;
  };
  readonly label?: string;
  readonly size?: 'xs' | 'sm';
  readonly className?: string | undefined;
}

/** The button below a list that loads its next page. If that fails, it shows the error with Retry. Key it by the filters. */
export function ShowMore({ list, label = 'Show more', size = 'sm', className }: ShowMoreProps) {
  // The query forgets the error at its next refresh, which may be a second away.
  const [failure, setFailure] = useState<Error | null>(null);
  const onMore = async () => {
    const { error, isFetchNextPageError } = await list.fetchNextPage();
    setFailure(isFetchNextPageError ? error : null);
  };
  if (!list.hasNextPage) return null;
  if (failure !== null && !list.isFetchingNextPage)
    return <ErrorNote error={failure} onRetry={() => void onMore()} />;
  return (
    <Button
      variant="default"
      size={size}
      className={className}
      loading={list.isFetchingNextPage}
      onClick={() => void onMore()}
    >
      {label}
    </Button>
  );
}
