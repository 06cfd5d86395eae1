import type { ComponentType } from 'react';
import { renderToString } from 'react-dom/server';
import { type IslandName, type IslandProps, islands } from './registry.ts';
import { IslandEnvironmentProvider } from './runtime/context.tsx';

export type { IslandName, IslandProps };
export type IslandRenderer = <Name extends IslandName>(name: Name, props: IslandProps<Name>, slots?: Record<string, string>) => string;

/** Loads every island's component. Returns a function that renders them on the server. */
export async function createIslandRenderer(): Promise<IslandRenderer> {
  const components = new Map<string, ComponentType<Record<string, unknown>>>();
  for (const [name, { load }] of Object.entries(islands)) {
    components.set(name, (await load()).default as unknown as ComponentType<Record<string, unknown>>);
  }
  return (name, props, slots = {}) => {
    const Component = components.get(name);
    if (!Component) throw new Error(`no island ${name}`);
    const html = renderToString(
      <IslandEnvironmentProvider value={{ slots, element: null }}>
        <Component {...(props as Record<string, unknown>)} />
      </IslandEnvironmentProvider>,
    );
    return `<div data-island="${name}" data-hydrate="${islands[name].hydrate}" data-props="${escapeAttribute(JSON.stringify(props))}">${html}</div>`;
  };
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
