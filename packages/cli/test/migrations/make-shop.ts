import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { run } from '#src/run.ts'
import { type FakeTerminal, fakeTerminal } from '../fake-terminal.ts'
import { makeFolder } from '../make-folder.ts'

const packages = fileURLToPath(new URL('../../../', import.meta.url))

// The models are read anew for each command, as a new process would.
const server = `
import { readFileSync } from 'node:fs'
import { changes } from '@modelwire/changes'
import { modelwire } from '@modelwire/core'
import { relations } from '@modelwire/relations'
import { memory } from '@modelwire/connector-memory'
import { mysql } from '@modelwire/connector-mysql'
import { postgresql } from '@modelwire/connector-postgresql'
import { sqlite } from '@modelwire/connector-sqlite'
import Fastify from 'fastify'

const connectors = { memory, mysql, postgresql, sqlite }
const read = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'))

export async function buildServer(options) {
  const app = Fastify(options)
  const dataSources = Object.fromEntries(
    Object.entries(read('sources.json')).map(([name, { connector, ...settings }]) => [name, connectors[connector](settings)])
  )
  await app.register(modelwire, { dataSources, models: read('models.json') })
  await app.register(changes)
  await app.register(relations)
  return app
}
`

/** A value of JSON. */
type Json = Readonly<Record<string, unknown>>

/** A project whose models change, and the command on it. */
export interface Shop {
  readonly dir: string
  readonly setModels: (models: Json) => void
  /** Runs `modelwire migrate` there; with an exit code of 0 unless \`code\` names another one. */
  readonly migrate: (args: readonly string[], code?: number) => Promise<FakeTerminal>
  /** The names of its migration files. */
  readonly files: () => readonly string[]
  /** Replaces the text of the last file. */
  readonly edit: (change: (text: string) => string) => void
  readonly write: (name: string, text: string) => void
}

/** Makes a project on these data sources; on an SQLite file of its own when absent. */
export function makeShop(t: Test, sources?: Json, manifest: Json = {}): Shop {
  const modelwire = { server: 'server.js', ...manifest }
  const dir = makeFolder(t, { 'package.json': { name: 'shop', type: 'module', modelwire }, 'server.js': server })
  const put = (name: string, value: Json): void => writeFileSync(join(dir, name), JSON.stringify(value))
  put('sources.json', sources ?? { db: { connector: 'sqlite', file: join(dir, 'shop.db') } })
  put('models.json', {})
  link(dir)
  const folder = join(dir, 'migrations')
  const files = (): readonly string[] => readdirSync(folder).toSorted()
  return {
    dir,
    setModels: (models) => put('models.json', namedOf(models)),
    files,
    migrate: async (args, code = 0) => {
      const terminal = fakeTerminal()
      t.equal(await run(['migrate', dir, ...args], terminal), code, `${args.join(' ')}: ${terminal.errText()}`)
      return terminal
    },
    edit: (change) => {
      const file = join(folder, files().at(-1) ?? '')
      writeFileSync(file, change(readFileSync(file, 'utf8')))
    },
    write: (name, text) => {
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, name), text)
    }
  }
}

function link(dir: string): void {
  mkdirSync(join(dir, 'node_modules/@modelwire'), { recursive: true })
  for (const name of [
    'changes',
    'core',
    'relations',
    'connector-memory',
    'connector-mysql',
    'connector-postgresql',
    'connector-sqlite'
  ])
    symlinkSync(join(packages, name), join(dir, 'node_modules/@modelwire', name))
  symlinkSync(join(packages, 'core/node_modules/fastify'), join(dir, 'node_modules/fastify'))
}

const namedOf = (models: Json): Json =>
  Object.fromEntries(Object.entries(models).map(([name, model]) => [name, { name, ...Object(model) }]))

/** A customer with these properties besides its id. */
export const customer = (properties: Json): Json => ({
  Customer: { strict: true, properties: { id: { type: 'number', id: true, generated: true }, ...properties } }
})
