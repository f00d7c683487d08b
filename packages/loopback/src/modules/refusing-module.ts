import { ModuleNotProvided } from '../errors.ts'
import type { ScriptApp } from '../members/application/script-app.ts'
import { refusedClass } from '../script-members.ts'

/** Returns the application that `loopback()` last returned, whose members are those of the modules. */
export interface CurrentApp {
  readonly current: () => { readonly app: ScriptApp }
}

/** Members of a module by name, each created when it is read. */
export type ModuleMembers = Readonly<Record<string, () => unknown>>

const advice = 'use app, app.loopback or Model instead'

/** What is read of every module by those who load it, or print it. */
const harmless: ReadonlySet<PropertyKey> = new Set(['then', '__esModule', 'default', 'toJSON', 'inspect'])

/**
 * Makes a module with some members. Those in `refused` exist but throw an error with advice when used; any other one throws
 * when it is read.
 */
export function refusingModule(
  module: string,
  members: ModuleMembers,
  refused: Readonly<Record<string, string>> = {}
): object {
  const all: ModuleMembers = {
    ...members,
    ...Object.fromEntries(
      Object.entries(refused).map(([name, replacement]) => {
        const made = refusedClass(`${module}.${name}`, replacement)
        return [name, () => made]
      })
    )
  }
  return new Proxy(
    {},
    {
      ownKeys: () => Object.keys(all),
      has: (_target, name) => typeof name === 'string' && Object.hasOwn(all, name),
      getOwnPropertyDescriptor: (_target, name) => {
        const make = typeof name === 'string' ? all[name] : undefined
        return make && { value: make(), enumerable: true, configurable: true, writable: true }
      },
      get: (_target, name) => {
        if (typeof name === 'symbol' || harmless.has(name)) return undefined
        const make = all[name]
        if (make !== undefined) return make()
        throw new ModuleNotProvided(`${module} has no member "${name}" here: ${advice}`)
      }
    }
  )
}
