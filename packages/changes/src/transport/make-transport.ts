import { InvalidOption } from '@modelwire/core/plugin'
import type { ChangeTransport } from './change-transport.ts'

/** A transport as a configuration file names it; all but `type` are settings of its package. */
export interface TransportSettings {
  readonly type: 'redis' | 'nats'
  readonly [setting: string]: unknown
}

/** The package of each type, whose default export makes the transport. */
const packages: Readonly<Record<string, string>> = {
  redis: '@modelwire/changes-redis',
  nats: '@modelwire/changes-nats'
}

/**
 * Makes a transport of plain settings, such as `{ type: 'redis', url: '…' }`.
 * @param importPackage imports a package that is installed beside the application, such as `(name) => import(name)` in its own file
 * @throws {InvalidOption} the type is unknown, its package is not installed, or a setting is malformed
 */
export async function makeTransport(
  { type, ...settings }: TransportSettings,
  importPackage: (name: string) => Promise<unknown>
): Promise<ChangeTransport> {
  const name = Object.hasOwn(packages, type) ? packages[type] : undefined
  const key = 'transport.type'
  if (name === undefined) throw new InvalidOption('the type of a transport must be "redis" or "nats"', { key })
  const made = await importPackage(name).catch((cause: unknown) => {
    throw new InvalidOption(`the package ${name} is not installed`, { key }, { cause })
  })
  // It is a package of this project.
  const { default: make } = made as { readonly default: (settings: object) => ChangeTransport }
  return make(settings)
}
