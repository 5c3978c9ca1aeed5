import { NavLink } from 'react-router';
import { Icon } from '../ui/icons.tsx';
import { useMayOpen } from './me.tsx';
import classes from './nav.module.css';
import { PAGE_LINKS, type PageLink } from './page-links.ts';

interface NavProps {
  readonly opened: boolean;
  /** A link was chosen, which may lead to the open page. */
  readonly onChosen: () => void;
}

export function Nav({ opened, onChosen }: NavProps) {
  const mayOpen = useMayOpen();
  return (
    <nav className={classes.nav} aria-label="Main" data-opened={opened}>
      {PAGE_LINKS.map(({ section, links }) => ({ section, links: links.filter(mayOpen) }))
        .filter(({ links }) => links.length > 0)
        .map(({ section, links }) => (
          <div key={section} className={classes.section}>
            {section !== '' && <p className={classes.sectionName}>{section}</p>}
            {links.map((link) => (
              <Item key={link.to} link={link} onChosen={onChosen} />
            ))}
          </div>
        ))}
    </nav>
  );
}

function Item({ link, onChosen }: { readonly link: PageLink; readonly onChosen: () => void }) {
  const { to, label, icon, nested = false, exact = false } = link;
  return (
    <NavLink
      to={to}
      end={exact}
      className={`${classes.item} ${nested ? classes.nested : ''}`}
      onClick={onChosen}
    >
      <Icon name={icon} />
      {label}
    </NavLink>
  );
}
