import type { BootContext, Components } from '../extension.ts'
import type { Application } from '../read-application.ts'
import { explorerComponent } from './explorer-component.ts'
import { readComponents } from './read-components.ts'

/** Sets up the components of an application in the order of the file and returns what they do after the REST API. */
export async function setUpComponents(
  context: BootContext,
  application: Application,
  given: Components
): Promise<(() => void | Promise<void>)[]> {
  const { folder, findVariable, add } = application
  const components: Components = { 'loopback-component-explorer': explorerComponent(application), ...given }
  const available = new Set(Object.keys(components))
  const later: (() => void | Promise<void>)[] = []
  for (const { name, params } of readComponents(application.components, { folder, findVariable, available, add })) {
    // Scripts read a component's configuration by its name.
    context.settings.set(name, params)
    const steps = await components[name]?.(context, params)
    if (steps?.afterRest !== undefined) later.push(steps.afterRest)
  }
  return later
}
