import type { Building } from '../building.ts'
import { isFunction } from '../callback-bridge.ts'
import type { BootContext, Components, ComponentSteps } from '../extension.ts'
import type { Application } from '../read-application.ts'
import { explorerComponent } from './explorer-component.ts'
import { passportComponent, passportModule } from '../passport/passport-extension.ts'
import { addPending, runScript } from '../scripts/run-script.ts'
import { readComponents } from './read-components.ts'

type Later = (() => void | Promise<void>)[]

/**
 * Sets up the components of an application in the order of the file and returns what they do after the REST API.
 */
export function setUpComponents(
  context: BootContext,
  application: Application,
  { components: ownComponents, loadScript, pending }: Pick<Building, 'components' | 'loadScript' | 'pending'>
): readonly (() => void | Promise<void>)[] {
  const { folder, findVariable, add } = application
  const components: Components = {
    'loopback-component-explorer': explorerComponent,
    // Files are configured by their data source.
    'loopback-component-storage': () => undefined,
    [passportModule]: passportComponent,
    ...ownComponents
  }
  const available = new Set(Object.keys(components))
  const later: Later = []
  for (const { name, params, file, script } of readComponents(application.components, {
    folder,
    findVariable,
    available,
    add
  })) {
    // Scripts read a component's configuration by its name.
    context.settings.set(name, params)
    // LB3: a component is a function with the application and its configuration.
    const component = script === undefined ? undefined : loadScript(script)
    if (isFunction(component))
      runScript(() => component(context.app, params), `the component ${name} failed`, file, pending)
    const steps = script === undefined ? components[name]?.(context, params) : undefined
    if (steps instanceof Promise) addPending(pending, addSteps(steps, later))
    else if (steps?.afterRest !== undefined) later.push(steps.afterRest)
  }
  return later
}

async function addSteps(steps: Promise<void | ComponentSteps>, later: Later): Promise<void> {
  const { afterRest } = (await steps) ?? {}
  if (afterRest !== undefined) later.push(afterRest)
}
