import { access, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { discoverModels, type ModelDefinition } from '@modelwire/core'
import type { DataSource } from '@modelwire/core/connector'
import { CommandError } from '../errors.ts'
import { succeeded } from '../exit-codes.ts'
import { type AppOptions, withApp } from '../load-app.ts'
import { type DefineCommand, appOptions } from './command.ts'

interface DiscoverCommandOptions extends AppOptions {
  readonly dataSource?: string
  readonly table?: readonly string[]
  readonly schema?: readonly string[]
  readonly views?: boolean
  readonly out?: string
}

/** The data source with that name, else the only one that has tables. */
function dataSourceOf(sources: ReadonlyMap<string, DataSource>, wanted: string | undefined): DataSource {
  const able = [...sources.values()].filter(({ connector }) => connector.discovery !== undefined)
  const [only, ...others] = wanted === undefined ? able : able.filter(({ name }) => name === wanted)
  if (only !== undefined && others.length === 0) return only
  const names = able.map(({ name }) => name).join(', ')
  throw new CommandError(
    'NO_SUCH_DATA_SOURCE',
    names === '' ? 'no data source of the application has tables' : `choose one by --data-source: ${names}`
  )
}

/** `Order` → `order.json`, `OrderLine` → `order-line.json`, as LoopBack's generator names them. */
const fileName = (model: string): string => `${model.replace(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase()}.json`

async function isThere(file: string): Promise<boolean> {
  try {
    await access(file)
    return true
  } catch {
    return false
  }
}

/** Writes a file per model, all or none; one that exists is not overwritten. @throws {CommandError} FILE_EXISTS */
async function writeModels(dir: string, models: readonly ModelDefinition[]): Promise<void> {
  await mkdir(dir, { recursive: true })
  const files = models.map((model) => ({ file: join(dir, fileName(model.name)), model }))
  for (const { file } of files)
    if (await isThere(file))
      throw new CommandError(
        'FILE_EXISTS',
        `${file} already exists: move it, or choose another --out; nothing was written`,
        1
      )
  const written: string[] = []
  try {
    for (const { file, model } of files) {
      await writeFile(file, `${JSON.stringify(model, null, 2)}\n`, { flag: 'wx' })
      written.push(file)
    }
  } catch (error) {
    await Promise.all(written.map((file) => rm(file, { force: true })))
    throw error
  }
}

/** The models without relations and foreign keys to models that do not exist, and what was left out. */
function withoutMissing(
  models: readonly ModelDefinition[],
  known: readonly string[]
): { readonly models: readonly ModelDefinition[]; readonly omitted: readonly string[] } {
  const names = new Set([...known, ...models.map(({ name }) => name)])
  const omitted: string[] = []
  const kept = models.map((model) => {
    const relations = Object.entries(model.relations ?? {})
    const missing = relations.filter(([, { model: target = '' }]) => !names.has(target))
    if (missing.length === 0) return model
    for (const [name, { model: target = '' }] of missing) omitted.push(`${model.name}.${name} (to ${target})`)
    const foreignKeys = Object.entries(Object(model['foreignKeys']) as Record<string, { entity?: string }>) // as discovered
    return {
      ...model,
      relations: Object.fromEntries(relations.filter((relation) => !missing.includes(relation))),
      foreignKeys: Object.fromEntries(foreignKeys.filter(([, { entity = '' }]) => names.has(entity)))
    }
  })
  return { models: kept, omitted }
}

/** `modelwire discover <dir>`: generates model files from the tables of a database. */
export const defineDiscover: DefineCommand = ({ command, terminal, finish }) => {
  appOptions(command)
    .description(
      'Reads the tables of a data source and prints a model definition for each: properties with their columns, ids, indexes, ' +
        'and relations for foreign keys. Nothing in the database is changed.'
    )
    .option('--data-source <name>', 'the data source; required if several have tables')
    .option('--table <names...>', 'only these tables')
    .option(
      '--schema <names...>',
      "schemas other than the data source's own; tables of one may refer to those of another"
    )
    .option('--views', 'create models for views, too')
    .option('-o, --out <folder>', 'write one file per model to this folder, such as common/models')
    .addHelpText('after', '\nExample:\n  $ modelwire discover . --data-source db --out common/models')
    .action(async (dir: string, options: DiscoverCommandOptions) => {
      const { table: tables, schema, views, out } = options
      const place = { ...options, connectors: 'required', warn: terminal.err } as const
      const { models, omitted } = await withApp(dir, place, async ({ server }) => {
        const source = dataSourceOf(server.models.dataSources, options.dataSource)
        return withoutMissing(await discoverModels(source, { tables, schema, views }), server.models.names())
      })
      if (out === undefined) terminal.out(JSON.stringify(models, null, 2))
      else await writeModels(out, models)
      if (omitted.length > 0)
        terminal.err(`left out relations to tables that have no model, and were not discovered: ${omitted.join(', ')}`)
      terminal.err(`${models.length} models${out === undefined ? '' : ` written to ${out}`}`)
      finish(succeeded)
    })
}
