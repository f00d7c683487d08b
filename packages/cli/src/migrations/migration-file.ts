import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { MigrationTask } from '@modelwire/core/connector'
import { problemOf } from '@modelwire/server'
import { MigrationFileInvalid, MigrationUnknown } from '../errors.ts'

/** A migration file that has not been loaded yet. */
export interface MigrationFile {
  /** The name of the file without its extension. */
  readonly name: string
  readonly path: string
  /** SHA-256 of the file, in hexadecimal digits. */
  readonly checksum: string
}

const StatementSchema = Type.String({ minLength: 1 })
const LossSchema = Type.Object(
  { losesData: Type.String({ minLength: 1 }), statement: StatementSchema },
  { additionalProperties: false }
)
const MissingSchema = Type.Object({ missing: Type.String({ minLength: 1 }) }, { additionalProperties: false })

const FileSchema = Type.Object(
  {
    dataSource: Type.String({ minLength: 1 }),
    transaction: Type.Boolean({ default: true }),
    up: Type.Array(Type.Unknown()),
    down: Type.Array(Type.Unknown())
  },
  { additionalProperties: false }
)

/** A step as written in a file: a statement, code for data, a statement that deletes data, or one that is not written yet. */
export type FileStep = MigrationTask['steps'][number] | Static<typeof LossSchema> | Static<typeof MissingSchema>

/** A migration as defined in its file. */
export interface Migration extends MigrationFile {
  readonly dataSource: string
  readonly transaction: boolean
  readonly up: readonly FileStep[]
  readonly down: readonly FileStep[]
}

/** Files of other tools may lie beside ours. */
const pattern = /^\d{14}-.+\.mjs$/

/** The migration files of a folder in order; empty if the folder does not exist. */
export async function listMigrationFiles(folder: string): Promise<readonly MigrationFile[]> {
  const entries = await readdir(folder).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  })
  const names = entries.filter((entry) => pattern.test(entry)).map((entry) => entry.replace(/\.mjs$/, ''))
  return Promise.all(names.toSorted(byCode).map(async (name) => readMigrationFile(folder, name)))
}

async function readMigrationFile(folder: string, name: string): Promise<MigrationFile> {
  const path = join(folder, `${name}.mjs`)
  // An editor or version control may write other ends of lines.
  const text = (await readFile(path, 'utf8')).replaceAll('\r\n', '\n')
  return { name, path, checksum: createHash('sha256').update(text).digest('hex') }
}

const byCode = (one: string, other: string): number => (one < other ? -1 : 1)

/**
 * Loads the exports of a migration file.
 * @throws {MigrationFileInvalid} it cannot be loaded, or exports something else
 */
export async function loadMigration(file: MigrationFile): Promise<Migration> {
  const exported = await importFile(file)
  if (!Value.Check(FileSchema, exported)) throw invalid(file, firstProblem(exported))
  const { dataSource, transaction, up, down } = exported
  return { ...file, dataSource, transaction, up: stepsOf(file, { up }), down: stepsOf(file, { down }) }
}

async function importFile({ name, path, checksum }: MigrationFile): Promise<unknown> {
  try {
    // A file that was changed is another module.
    return Value.Default(FileSchema, { ...(await import(`${pathToFileURL(path).href}?${checksum}`)) })
  } catch (cause) {
    throw new MigrationFileInvalid(`the migration ${name} cannot be loaded (${path})`, { cause })
  }
}

function firstProblem(exported: unknown): string {
  const { key = '', expected = 'malformed' } = problemOf(FileSchema, exported) ?? {}
  return `${key}: ${expected}`
}

function stepsOf(file: MigrationFile, named: Readonly<Record<string, readonly unknown[]>>): readonly FileStep[] {
  return Object.entries(named).flatMap(([direction, steps]) =>
    steps.map((step, at) => {
      if (isFileStep(step)) return step
      const forms = 'a statement, a function, { losesData, statement } or { missing }'
      throw invalid(file, `${direction}[${at}] must be ${forms}`)
    })
  )
}

function isFileStep(step: unknown): step is FileStep {
  const schemas = [StatementSchema, LossSchema, MissingSchema]
  return typeof step === 'function' || schemas.some((schema) => Value.Check(schema, step))
}

function invalid({ name, path }: MigrationFile, problem: string): MigrationFileInvalid {
  return new MigrationFileInvalid(`the migration ${name} is invalid: ${problem} (${path})`)
}

/**
 * The migration with that name: the full one, with or without file extension, or the part after the time.
 * @throws {MigrationUnknown} none has it, or several have
 */
export function findMigration(names: readonly string[], wanted: string): string {
  const plain = wanted.replace(/\.mjs$/, '')
  const [found, ...others] = names.includes(plain) ? [plain] : names.filter((name) => name.slice(15) === plain)
  if (found !== undefined && others.length === 0) return found
  throw new MigrationUnknown(
    found === undefined ? `unknown migration ${wanted}` : `several migrations are named ${wanted}: include their time`
  )
}
