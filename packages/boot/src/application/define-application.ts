import { allInOrder, type Awaitable } from '@modelwire/core/plugin'
import type { Building } from '../building.ts'
import { setUpComponents } from '../components/set-up-components.ts'
import { createMixins } from '../mixins/apply-mixins.ts'
import { findMixins } from '../mixins/find-mixins.ts'
import { loadModels } from '../models/load-models.ts'
import { emitModelEvents } from '../scripts/model/model-events.ts'
import { type BootScriptSources, runBootScripts } from '../scripts/run-boot-scripts.ts'

/** What defining an application leaves to be done. */
export interface Defined {
  /** What components do once the REST API is mounted. */
  readonly afterRest: readonly (() => void | Promise<void>)[]
  /** The end of the boot scripts: at once where none of them has to be waited for. */
  readonly scripts: Awaitable<void>
}

/**
 * Defines the models of an application, sets up its components and runs its boot scripts, in LoopBack's order. What
 * does not have to be waited for has happened when this returns, so that scripts may go on with the models at once.
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
