import { NavLink } from 'react-router';
import { Icon } from '../ui/icons.tsx';
import { useMayOpen } from './me.tsx';
import classes from './nav.module.css';
import { PAGE_LINKS, type PageLink } from './page-links.ts';

export function Nav({ opened }: { readonly opened: boolean }) {
  const mayOpen = useMayOpen();
  return (
    <nav className={classes.nav} aria-label="Main" data-opened={opened}>
      {PAGE_LINKS.map(({ section, links }) => ({ section, links: links.filter(mayOpen) }))
        .filter(({ links }) => links.length > 0)
        .map(({ section, links }) => (
          <div key={section} className={classes.section}>
            {section !== '' && <p className={classes.sectionName}>{section}</p>}
            {links.map((link) => (
              <Item key={link.to} {...link} />
            ))}
          </div>
        ))}
    </nav>
  );
}

function Item({ to, label, icon, nested = false, exact = false }: PageLink) {
  return (
    <NavLink to={to} end={exact} className={`${classes.item} ${nested ? classes.nested : ''}`}>
      <Icon name={icon} />
      {label}
    </NavLink>
  );
}
