import { SegmentedControl } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';

interface Choosable {
  readonly id: string;
  readonly label: string;
}

/** The sample in the language that was chosen last, on any page. */
export function useLanguage<Of extends Choosable>(samples: readonly [Of, ...Of[]]) {
  const [language, setLanguage] = useLocalStorage({
    key: 'sluice-language',
    defaultValue: 'curl',
    getInitialValueInEffect: false,
  });
  return { sample: samples.find(({ id }) => id === language) ?? samples[0], setLanguage };
}

interface LanguageChoiceProps {
  readonly samples: readonly Choosable[];
  readonly chosen: Choosable;
  readonly onChange: (id: string) => void;
}

export function LanguageChoice({ samples, chosen, onChange }: LanguageChoiceProps) {
  return (
    <SegmentedControl
      aria-label="Language"
      data={samples.map(({ id, label }) => ({ value: id, label }))}
      value={chosen.id}
      onChange={onChange}
      size="sm"
    />
  );
}
