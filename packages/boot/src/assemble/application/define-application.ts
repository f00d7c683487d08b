import { allInOrder, type Awaitable, isPlainObject } from '@modelwire/server'
import type { Building } from './building.ts'
import { mixinName } from '../../read/files/script-names.ts'
import { createMixins } from './apply-mixins.ts'
import { loadModels } from './load-models.ts'
import { emitModelEvents } from '@modelwire/loopback/api'
import { type BootScriptSources, runBootScripts } from './run-boot-scripts.ts'
import { type AppFolder, isFile } from '../../read/files/app-folder.ts'
import { readJsonFile } from '../../read/files/read-json-file.ts'
import { findFolder, isBuiltIn } from '../../read/files/find-folder.ts'
import { scriptsAmong } from '../../read/files/load-script.ts'
import { isFunction } from '@modelwire/loopback/express'
import type { BootContext, Components, ComponentSteps } from '../../extension.ts'
import type { Application } from '../../read/read-application.ts'
import { explorerComponent } from './explorer-component.ts'
import { passportComponent, passportModule } from '../extensions/passport-extension.ts'
import { addPending, runScript } from './run-script.ts'
import { readComponents } from '../../read/config/read-components.ts'
import { readdirSync } from 'node:fs'
import { basename, extname, join } from 'node:path'

type Later = (() => void | Promise<void>)[]

/** What remains to be done once an application is defined. */
export interface Defined {
  /** The steps of components that run once the REST API is mounted. */
  readonly afterRest: readonly (() => void | Promise<void>)[]
  /** Settles when the boot scripts have finished; not a promise if none of them is asynchronous. */
  readonly scripts: Awaitable<void>
}

/**
 * Defines the models of an application, sets up its components and runs its boot scripts, in LoopBack's order. Everything
 * synchronous is done when this returns, so that scripts can use the models immediately.
 * @throws {DefinitionError} the application is invalid; the subclass names the reason
 */
export function defineApplication(building: Building, sources: BootScriptSources): Defined {
  const { application, app, mounts, loadScript, extensions, context, pending, server } = building
  const { registry } = context
  for (const extension of extensions) extension.beforeModelFiles?.(context)
  defineModels(building)
  context.settings.fix('remoting')
  for (const extension of extensions) extension.beforeScripts?.(context)
  const afterRest = setUpComponents(context, application, building)
  const opening = registry.connect()
  const { folder, add } = application
  const warn = (message: string): void => server.log.warn(message)
  const run = (): Awaitable<void> => runBootScripts({ folder, app, mounts, loadScript, add, warn, sources })
  return { afterRest, scripts: unlessUnreachable(opening, pending.length === 0 ? run : () => runAfter(pending, run)) }
}

/**
 * The end of the scripts, which may wait for a data source: one that cannot be opened ends the start at once. Where
 * there is nothing to wait for, the start of the application opens the data sources, too, and gets the error.
 */
function unlessUnreachable(opening: Promise<void>, run: () => Awaitable<void>): Awaitable<void> {
  void Promise.allSettled([opening])
  const end = run()
  return end instanceof Promise ? endOfBoth(opening, end) : end
}

async function endOfBoth(opening: Promise<void>, scripts: Promise<void>): Promise<void> {
  await Promise.all([opening, scripts])
}

async function runAfter(pending: readonly Promise<unknown>[], run: () => Awaitable<void>): Promise<void> {
  await allInOrder(pending)
  await run()
}

function defineModels({ application, dataSources, app, loadScript, context, pending }: Building): void {
  const { folder, modelConfig, modelFiles: files, add } = application
  const { registry } = context
  const scripts = findMixins(folder, modelConfig.mixinSources)
  // LoopBack applies mixins after all model scripts, core when a model is defined: it only has to know the names.
  for (const name of scripts.keys()) registry.defineMixin(name, () => {})
  const mixins = createMixins(folder, scripts, loadScript)
  loadModels({ folder, registry, modelConfig, files, mixins, loadScript, dataSources, app, add, pending })
  emitModelEvents(registry)
}

/**
 * The scripts in the mixin folders by the name of their mixin: that of the file, or `name` in a JSON file next to it. If
 * two scripts define the same mixin, the later one wins.
 */
export function findMixins(folder: AppFolder, sources: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const source of sources.filter((name) => !isBuiltIn(name))) {
    const path = findFolder(folder, source)
    for (const script of path === undefined ? [] : scriptsIn(path)) found.set(nameOf(folder, script), script)
  }
  return found
}

function scriptsIn(path: string): string[] {
  return scriptsAmong(readdirSync(path))
    .toSorted()
    .map((name) => join(path, name))
}

function nameOf(folder: AppFolder, script: string): string {
  const ending = extname(script)
  const described = `${script.slice(0, -ending.length)}.json`
  const meta = isFile(described) ? readJsonFile(folder, described) : undefined
  return isPlainObject(meta) && typeof meta['name'] === 'string' ? meta['name'] : mixinName(basename(script, ending))
}

/**
 * Sets up the components of an application in the order of the file and returns what they do after the REST API.
 */
function setUpComponents(
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
