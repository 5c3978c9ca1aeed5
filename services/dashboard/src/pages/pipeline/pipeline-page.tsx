import { Button, NativeSelect } from '@mantine/core';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { type FormEvent, useState } from 'react';
import { useRead, useWrite } from '../../api/queries.ts';
import { useMay } from '../../shell/me.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { ErrorNote, Loaded } from '../../ui/states.tsx';
import { useToast } from '../../ui/toaster.tsx';
import { useUnsaved } from '../../ui/unsaved.ts';
import { StageDialog } from './stage-dialogs.tsx';
import { StageList } from './stage-list.tsx';

export function PipelinePage() {
  const mayChange = useMay('admin');
  const [adding, setAdding] = useState(false);
  const pipeline = useRead(ROUTES.pipeline.show, {});
  return (
    <Page
      title="Pipeline"
      crumbs={[{ label: 'Settings' }]}
      lead="The stages that a lead passes through. New leads start in the first stage unless they name another."
      actions={
        mayChange && (
          <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setAdding(true)}>
            Add stage
          </Button>
        )
      }
    >
      <Loaded query={pipeline}>
        {(data) => (
          <div className="stack">
            <Card flush>
              <StageList stages={data.stages} mayChange={mayChange} />
            </Card>
            <Card title="Phone numbers">
              <PhoneRegion region={data.phone_region} mayChange={mayChange} />
            </Card>
          </div>
        )}
      </Loaded>
      {adding && <StageDialog stage={null} onClose={() => setAdding(false)} />}
    </Page>
  );
}

interface PhoneRegionProps {
  readonly region: string | null;
  readonly mayChange: boolean;
}

/**
 * The country whose phone numbers are written without a prefix. A button saves it, because the arrow keys choose each country on the way
 * to another one.
 */
function PhoneRegion({ region, mayChange }: PhoneRegionProps) {
  const save = useWrite(ROUTES.pipeline.setPhoneRegion, [ROUTES.pipeline.show]);
  const toast = useToast();
  const [draft, setDraft] = useState<string | null>(null);
  const stored = region ?? '';
  const chosen = draft ?? stored;
  const isDirty = chosen !== stored;
  useUnsaved(isDirty);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(
      { body: { phone_region: chosen === '' ? null : chosen } },
      {
        onSuccess: () => {
          setDraft((now) => (now === draft ? null : now));
          toast('Country saved. It applies to numbers that are written from now on.');
        },
      },
    );
  };
  return (
    <form className="stack-small narrow" onSubmit={onSubmit}>
      <NativeSelect
        label="Country of numbers without a prefix"
        description="With Germany, 030 901820 is read as +49 30 901820. Numbers that begin with + need no country."
        data={[{ value: '', label: 'No country' }, ...regionOptions()]}
        value={chosen}
        disabled={!mayChange}
        onChange={(event) => setDraft(event.currentTarget.value)}
      />
      {isDirty && (
        <div>
          <Button type="submit" loading={save.isPending}>
            Save country
          </Button>
        </div>
      )}
      {save.error !== null && <ErrorNote error={save.error} />}
    </form>
  );
}

/** The countries and areas with a country code for phone numbers, by ISO 3166-1 alpha-2. */
const REGIONS =
  'AC AD AE AF AG AI AL AM AO AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GT GU GW GY HK HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TA TC TD TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW';

/** The countries by their English names, sorted. */
function regionOptions(): { value: string; label: string }[] {
  const names = new Intl.DisplayNames(['en'], { type: 'region' });
  return REGIONS.split(' ')
    .map((value) => ({ value, label: names.of(value) ?? value }))
    .sort((a, b) => a.label.localeCompare(b.label, 'en'));
}
