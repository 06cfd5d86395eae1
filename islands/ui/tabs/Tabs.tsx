import type { KeyboardEvent } from 'react';

interface TabsProps<Name extends string> {
  /** Prefix of the ids of the tabs and panels. */
  id: string;
  label: string;
  tabs: readonly { name: Name; label: string }[];
  selected: Name;
  onSelect: (name: Name) => void;
}

/** Returns the attributes of a tab's panel. */
export const tabPanel = (id: string, name: string) => ({
  role: 'tabpanel' as const,
  id: `${id}-panel-${name}`,
  'aria-labelledby': `${id}-tab-${name}`,
});

/** Tabs in the WAI-ARIA pattern: one stop for Tab; arrows, Home and End move between tabs; the focused tab is selected. */
export function Tabs<Name extends string>({ id, label, tabs, selected, onSelect }: TabsProps<Name>) {
  function walk(event: KeyboardEvent): void {
    const at = tabs.findIndex(({ name }) => name === selected);
    const steps: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 };
    const step = steps[event.key];
    const next = step === undefined ? undefined : tabs.at(step % tabs.length);
    if (!next || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    onSelect(next.name);
    document.getElementById(`${id}-tab-${next.name}`)?.focus();
  }

  return (
    <div className="tabs" role="tablist" aria-label={label} onKeyDown={walk}>
      {tabs.map((tab) => (
        <button
          key={tab.name}
          className="tabs__tab"
          type="button"
          role="tab"
          id={`${id}-tab-${tab.name}`}
          aria-selected={tab.name === selected}
          aria-controls={`${id}-panel-${tab.name}`}
          tabIndex={tab.name === selected ? 0 : -1}
          onClick={() => onSelect(tab.name)}
        >
          {tab.label}
        </button>
      ))}
    </div>
  );
}
