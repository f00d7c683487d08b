import type { ModelRegistry } from '@modelwire/core'
import type { SeedPlace } from '../errors.ts'
import type { SeedOutcome, SeedRecord } from './report.ts'
import { type Static, Type } from '@sinclair/typebox'
import { isPlainObject } from '@modelwire/server'

/** A reference to a record by its properties: `{ "$ref": "User", "email": "ann@example.org" }`. */
export interface Reference {
  readonly $ref: string
  readonly [property: string]: unknown
}

/** True for a value that names another record. */
export const isReference = (value: unknown): value is Reference =>
  isPlainObject(value) && typeof value['$ref'] === 'string'

/** Options of `seed`. */
export const SeedOptionsSchema = Type.Object(
  {
    only: Type.Optional(
      Type.Array(Type.String(), { description: 'names of files without extensions; all by default' })
    ),
    environment: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'also use the subfolder of the seeds with this name; NODE_ENV by default, else development'
      })
    ),
    dryRun: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'store nothing, and report what would be stored; scripts are not run'
      })
    ),
    reset: Type.Optional(
      Type.Boolean({ default: false, description: 'first delete all records of the models that have files' })
    ),
    force: Type.Optional(Type.Boolean({ default: false, description: 'allow `reset` in production' }))
  },
  { additionalProperties: false }
)

type Written = Static<typeof SeedOptionsSchema>

/** Options of `seed`. */
export type SeedOptions = { readonly [Name in keyof Written]: Written[Name] | undefined }

/** The key of a record that a dry run does not store. */
export const unknownKey: unique symbol = Symbol('the key of a record that is not stored')

/** A value that is set once all records are stored. */
export interface LaterValue {
  readonly seed: SeedRecord
  readonly name: string
  readonly outcome: SeedOutcome
  /** The stored record; undefined if a dry run would create it. */
  readonly id: unknown
}

/** One run over the seeds. It starts afresh when a database repeats the transaction. */
export interface SeedRun {
  readonly registry: ModelRegistry
  readonly dryRun: boolean
  /** Keys that are set later, by model. */
  readonly later: ReadonlyMap<string, ReadonlySet<string>>
  readonly outcomes: SeedOutcome[]
  readonly waiting: LaterValue[]
  /** Records that a dry run would create, by model. */
  readonly planned: Map<string, Readonly<Record<string, unknown>>[]>
  /** The seeds of stored records, by model and id. */
  readonly seen: Map<string, SeedPlace>
  /** How many records were deleted, by model. */
  readonly deleted: Map<string, number>
  /** The current seed, for errors. */
  at: SeedPlace
}

/** Begins a run. */
export function beginRun(
  registry: ModelRegistry,
  dryRun: boolean,
  later: ReadonlyMap<string, ReadonlySet<string>> = new Map()
): SeedRun {
  return {
    registry,
    dryRun,
    later,
    outcomes: [],
    waiting: [],
    planned: new Map(),
    seen: new Map(),
    deleted: new Map(),
    at: {}
  }
}

/** The names of the models that references within a value refer to. */
export function referredModels(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(referredModels)
  if (!isPlainObject(value)) return []
  const within = Object.values(value).flatMap(referredModels)
  return isReference(value) ? [value.$ref, ...within] : within
}
