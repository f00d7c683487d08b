import * as nodeModule from 'node:module'
import { fileURLToPath } from 'node:url'

/** Finds the module that a file of an application gets for a name; undefined for other modules. */
type FindForFile = (specifier: string, file: string) => { readonly exports: unknown } | undefined

type Resolved = { readonly url: string; readonly shortCircuit: true }
type Context = { readonly parentURL?: string | undefined; readonly conditions?: readonly string[] }
type Resolve = (specifier: string, context: Context, next: (specifier: string, context: Context) => unknown) => unknown

/** Newer releases of Node run module hooks in the same thread. */
interface NewerModule {
  readonly registerHooks?: (hooks: { readonly resolve: Resolve }) => unknown
}

const door = '@modelwire/boot/modules'

/** The text of a module that gives what is found when it is run. */
const sourceOf = (specifier: string, parent: string): string =>
  `export default globalThis[Symbol.for(${JSON.stringify(door)})](${JSON.stringify(specifier)}, ${JSON.stringify(parent)})`

const resolvedTo = (specifier: string, parent: string): Resolved => ({
  url: `data:text/javascript,${encodeURIComponent(sourceOf(specifier, parent))}`,
  shortCircuit: true
})

const fileOf = (url: string | undefined): string | undefined =>
  url?.startsWith('file:') === true ? fileURLToPath(url) : undefined

let isOpen = false

/** Lets ES modules import Modelwire modules. Called once per process. */
export function provideToModules(find: FindForFile): void {
  if (isOpen) return
  isOpen = true
  const give = (specifier: string, parent: string): unknown => find(specifier, fileOf(parent) ?? '')?.exports
  Object.defineProperty(globalThis, Symbol.for(door), { value: give })
  const { registerHooks } = nodeModule as NewerModule // Node 22.15 and newer have it
  if (registerHooks === undefined) return
  registerHooks({
    resolve: (specifier, context, next) => {
      const { parentURL, conditions = [] } = context
      const file = conditions.includes('require') ? undefined : fileOf(parentURL)
      const isOurs = file !== undefined && find(specifier, file) !== undefined
      return isOurs ? resolvedTo(specifier, parentURL ?? '') : next(specifier, context)
    }
  })
}
