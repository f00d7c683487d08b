import type { ModelDefinition } from '@modelwire/core'
import { isOfRecords, nameOfRecords, type ModelType } from '@modelwire/core/connector'
import { isPlainObject } from '@modelwire/server'
import { type Static, type TSchema, Type } from '@sinclair/typebox'

const optional = <Schema extends TSchema>(schema: Schema) => Type.Optional(schema)
const open = { additionalProperties: true }

const EntryOptions = Type.Object(
  { remoting: optional(Type.Object({ sharedMethods: optional(Type.Record(Type.String(), Type.Boolean())) }, open)) },
  open
)

/** One model of `model-config.json`. */
export const ModelEntrySchema = Type.Object(
  {
    dataSource: optional(Type.Union([Type.String(), Type.Null(), Type.Literal(false)])),
    public: optional(Type.Boolean()),
    options: optional(EntryOptions),
    relations: optional(Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown()))),
    acls: optional(Type.Array(Type.Unknown())),
    methods: optional(Type.Record(Type.String(), Type.Unknown()))
  },
  open
)
export type ModelEntry = Static<typeof ModelEntrySchema> & { readonly options?: Readonly<Record<string, unknown>> }

type Rules = NonNullable<ModelType['definition']['acls']>

/** What two rules have in common when the later one replaces the earlier one. */
const places = ['property', 'accessType', 'principalType', 'principalId'] as const

const isInPlaceOf = (added: unknown, existing: unknown): boolean =>
  isPlainObject(added) && isPlainObject(existing) && places.every((key) => added[key] === existing[key])

type Methods = NonNullable<ModelDefinition['methods']>

/** Keys that `options` of `model-config.json` cannot replace. */
const fixedKeys = new Set(['base', 'super', 'relations', 'acls', 'dataSource', 'mixins', 'name', 'properties'])

/** `options` of a model's entry that have no effect. */
export function fixedOptions(entry: ModelEntry): string[] {
  return Object.keys(entry.options ?? {}).filter((key) => fixedKeys.has(key))
}

/**
 * A model's definition merged with its entry in `model-config.json`: `options` override its own settings, relations are
 * added. Access rules are added by `configureRules`, once the inherited ones exist. Without an entry the model exists for
 * those that extend it, and is not public.
 * @param inherited relations of its base, which the entry may change in part
 * @see LoopBack 3: lib/registry.js, configureModel
 */
export function configuredDefinition(
  definition: ModelDefinition,
  entry: ModelEntry | undefined,
  inherited: ModelDefinition['relations'] = {}
): ModelDefinition {
  // LB3: `remoting` in a model's own file has no effect; pinned by the recording exposure/in-model.
  const { remoting: _remoting, ...read } = definition
  const own = { ...read, ...(read.methods ? { methods: namedMethods(read.methods) } : {}) }
  if (entry === undefined) return { ...own, public: false, dataSource: null, remoting: pathsOf(definition) }
  const options = Object.entries(entry.options ?? {}).filter(([key]) => !fixedKeys.has(key))
  const configured = {
    ...own,
    ...Object.fromEntries(options),
    public: entry.public ?? true,
    dataSource: entry.dataSource || null,
    remoting: { ...entry.options?.remoting, ...pathsOf(definition) },
    ...mergedRelations(own, entry, inherited)
  }
  return configured
}

/** LB3: the model's own file decides how paths are written, only `options` of its entry which methods are shared. */
function pathsOf({ remoting }: ModelDefinition): { readonly normalizeHttpPath?: boolean } {
  const { normalizeHttpPath } = remoting ?? {}
  return normalizeHttpPath === undefined ? {} : { normalizeHttpPath }
}

/** Methods by names with or without `prototype.`: version 2 also had `isStatic`. */
function namedMethods(methods: Methods): Methods {
  if (typeof methods !== 'object') return methods
  const named = Object.entries(methods).map(([name, spec]) => {
    const onInstance = isPlainObject(spec) && spec['isStatic'] === false && !isOfRecords(name)
    return [onInstance ? nameOfRecords(name) : name, spec] as const
  })
  return Object.fromEntries(named)
}

function mergedRelations(
  own: Partial<ModelDefinition>,
  entry: ModelEntry,
  inherited: NonNullable<ModelDefinition['relations']>
): Record<string, unknown> {
  if (entry.relations === undefined) return {}
  const relations: Record<string, unknown> = { ...own.relations }
  for (const [name, relation] of Object.entries(entry.relations))
    relations[name] = { ...(own.relations?.[name] ?? inherited[name]), ...relation }
  return { relations }
}

/**
 * Adds the access rules of a model's entry in `model-config.json`. A rule for the same methods, access type and principal
 * as an earlier one replaces it, including inherited rules.
 * @see LoopBack 3: lib/registry.js, addACL
 */
export function configureRules(model: Pick<ModelType, 'definition'> | undefined, added: readonly unknown[] = []): void {
  if (model === undefined || added.length === 0) return
  const { definition } = model
  const rules: unknown[] = [...(definition.acls ?? [])]
  for (const rule of added) {
    const index = rules.findIndex((existing) => isInPlaceOf(rule, existing))
    rules.splice(index === -1 ? rules.length : index, 1, rule)
  }
  definition.acls = rules as Rules // of any shape: readers check it
}
