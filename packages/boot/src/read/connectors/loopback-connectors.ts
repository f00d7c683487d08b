import { createRequire } from 'node:module'
import { isAbsolute } from 'node:path'
import { resolveFrom } from '@modelwire/loopback/express'
import type { AppFolder } from '../files/app-folder.ts'
import type { ConnectorFactory } from './connector-factories.ts'
import { drive } from '@modelwire/loopback/api'
import { ConnectorMissing } from '../../errors.ts'
import { allOperations, type Collection, type Connector, type ConnectorCapabilities } from '@modelwire/core/connector'

/** A placeholder for a connector that is not installed: calls to its data source fail, everything else works. */
export class AbsentConnector implements Connector {
  readonly name: string
  readonly capabilities: ConnectorCapabilities = {
    operations: allOperations,
    generatedIdType: 'declared',
    storesUndeclared: true,
    transactions: false
  }
  /** No connector is available to scripts. */
  readonly scriptConnector: undefined = undefined
  readonly #advice: string

  /** @param advice which package to install */
  constructor(name: string, advice: string) {
    this.name = name
    this.#advice = advice
  }

  /** @throws {ConnectorMissing} (each of its methods) */
  collection(): Collection {
    const fail = async (): Promise<never> => this.#fail()
    return {
      find: fail,
      findById: fail,
      count: fail,
      insert: fail,
      update: fail,
      upsert: fail,
      replace: fail,
      delete: fail
    }
  }

  async connect(): Promise<void> {}

  async disconnect(): Promise<void> {}

  /** @throws {ConnectorMissing} */
  async ping(): Promise<void> {
    this.#fail()
  }

  /** @throws {ConnectorMissing} */
  async migrate(): Promise<never> {
    return this.#fail()
  }

  /** @throws {ConnectorMissing} */
  async transaction(): Promise<never> {
    return this.#fail()
  }

  /** @throws {ConnectorMissing} */
  async beginTransaction(): Promise<never> {
    return this.#fail()
  }

  #fail(): never {
    throw new ConnectorMissing(`the connector "${this.name}" is not installed: ${this.#advice}`)
  }
}

const dialects: Readonly<Record<string, string>> = {
  postgres: 'postgresql',
  sqlite3: 'sqlite',
  sqlite: 'sqlite',
  mariadb: 'mysql'
}

// LB3: short names that are never names of packages; loopback-datasource-juggler, lib/datasource.js, connectorModuleNames.
const shortNames: ReadonlySet<string> = new Set([
  'mongodb',
  'oracle',
  'mysql',
  'postgresql',
  'mssql',
  'rest',
  'soap',
  'db2',
  'cloudant'
])

/** True for a path to a file of the application, rather than a package. */
export const isPathOfConnector = (written: string): boolean => /^\.\.?\//.test(written) || isAbsolute(written)

/**
 * The factory of a connector written for LoopBack: a file, by its path relative to the server folder, or a package
 * installed in the application. Undefined if there is none.
 */
export function loopbackFactory({ serverDir, root }: AppFolder, written: string): ConnectorFactory | undefined {
  for (const candidate of candidatesOf(written)) {
    const path = resolveFrom([serverDir, root], candidate)
    if (path !== undefined) return drive(() => createRequire(path)(path))
  }
  return undefined
}

function candidatesOf(written: string): readonly string[] {
  if (isPathOfConnector(written)) return [written]
  return [
    ...(written.startsWith('loopback-connector-') ? [] : [`loopback-connector-${written}`]),
    ...(shortNames.has(written) ? [] : [written])
  ]
}

/** The normalised name of a connector: `loopback-connector-mysql` and `mysql` are the same, in any case. */
export function connectorName(written: string): string {
  const name = written.replace(/^(?:@\w+\/)?loopback-connector-/, '').toLowerCase()
  return dialects[name] ?? name
}
