import { Type, type Static } from '@sinclair/typebox'
import { AccessRuleSchema } from './access-rule.ts'
import { AggregateSettingsSchema, ListSettingsSchema } from './list-settings.ts'
import { PropertyDefinitionSchema, TypeReferenceSchema } from './property-definition.ts'
import { RelationDefinitionSchema } from './relation-definition.ts'
import { createRequire } from 'node:module'
import type * as Inflection from 'inflection'

/** The module `inflection`. Loading it with require takes a third of the time of an import of CommonJS. */
export const inflection = createRequire(import.meta.url)('inflection') as typeof Inflection

// LB3: the release of `inflection` that LoopBack 3 ships differs from today's in this one English word.
const frozenPlurals: ReadonlyMap<string, string> = new Map([
  ['Focus', 'Focus'],
  ['focus', 'focus']
])

const names = (description: string) => Type.Array(Type.String(), { description })
const anyObject = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description })

/** The default name of the version property. */
export const defaultVersionProperty = 'version'

/** A model file of LoopBack 3. Keys that are not listed are kept as settings for scripts and other packages. */
export const ModelDefinitionSchema = Type.Object(
  {
    name: Type.String({ minLength: 1, description: 'model name' }),
    plural: Type.Optional(
      Type.String({ minLength: 1, description: 'last segment of the REST path; the pluralised name by default' })
    ),
    http: Type.Optional(
      Type.Object(
        { path: Type.Optional(Type.String({ description: 'REST path, instead of the plural' })) },
        { additionalProperties: true }
      )
    ),
    base: Type.Optional(
      Type.Union([Type.String(), Type.Null()], { description: 'model to extend; PersistedModel by default' })
    ),
    description: Type.Optional(Type.Unknown()),
    properties: Type.Optional(Type.Record(Type.String(), Type.Union([PropertyDefinitionSchema, TypeReferenceSchema]))),
    relations: Type.Optional(Type.Record(Type.String(), RelationDefinitionSchema)),
    acls: Type.Optional(Type.Array(AccessRuleSchema)),
    methods: Type.Optional(
      Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown()), {
        description: 'remote methods by name; `prototype.` marks instance methods'
      })
    ),
    mixins: Type.Optional(anyObject('mixins by name; false disables one')),
    validations: Type.Optional(Type.Unknown({ description: 'validation rules by property' })),
    checks: Type.Optional(
      Type.Unknown({
        description:
          'rules across properties by name: `where` as in filters, whose operands may be `{"property": name}`; also constraints of SQL tables'
      })
    ),
    strict: Type.Optional(
      Type.Union([Type.Boolean(), Type.Literal('throw'), Type.Literal('validate'), Type.Literal('filter')], {
        description:
          'refuse undeclared properties (filter: drop them); the default of defineModel, not of plain definitions'
      })
    ),
    idInjection: Type.Optional(Type.Boolean({ description: 'false: do not add an id property' })),
    forceId: Type.Optional(
      Type.Union([Type.Boolean(), Type.Literal('auto')], { description: 'refuse ids chosen by clients' })
    ),
    replaceOnPUT: Type.Optional(Type.Boolean({ description: 'PUT replaces (true) or partially updates (false)' })),
    validateUpsert: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
    automaticValidation: Type.Optional(Type.Boolean({ description: 'false: store records without validation' })),
    persistUndefinedAsNull: Type.Optional(Type.Boolean({ description: 'store absent declared properties as null' })),
    applyDefaultsOnReads: Type.Optional(Type.Boolean()),
    updateOnLoad: Type.Optional(
      Type.Boolean({ description: 'apply `loaded` observers to records just created or patched, too' })
    ),
    hidden: Type.Optional(names('properties never sent to clients')),
    protected: Type.Optional(names('properties sent only at the top level')),
    holdsSecrets: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'records contain secrets, such as tokens or keys: responses about them are not kept for idempotency keys'
      })
    ),
    scope: Type.Optional(
      Type.Unknown({ description: 'default filter of every query; its values are set on new records' })
    ),
    scopes: Type.Optional(anyObject('named scopes')),
    indexes: Type.Optional(anyObject('indexes by name')),
    optimisticLocking: Type.Optional(
      Type.Union(
        [
          Type.Boolean(),
          Type.Object(
            {
              property: Type.Optional(
                Type.String({
                  minLength: 1,
                  default: defaultVersionProperty,
                  description: 'property that holds the version; added if it is not declared'
                })
              ),
              requireIfMatch: Type.Optional(
                Type.Boolean({ default: false, description: 'refuse changes by id without If-Match' })
              )
            },
            { additionalProperties: false }
          )
        ],
        {
          description: 'add a version to records, renewed by every write: enables entity tags and conditional requests'
        }
      )
    ),
    changeLog: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'the database logs changes in the transaction that makes them: other processes receive them, and streams can be resumed'
      })
    ),
    aggregate: Type.Optional(
      Type.Union([Type.Boolean(), AggregateSettingsSchema], {
        description: 'let clients request aggregates over REST; an object limits what they may request'
      })
    ),
    lists: Type.Optional(ListSettingsSchema),
    public: Type.Optional(Type.Boolean({ description: 'expose over REST' })),
    dataSource: Type.Optional(Type.Union([Type.String(), Type.Null()], { description: 'data source of the model' })),
    remoting: Type.Optional(
      Type.Object(
        {
          sharedMethods: Type.Optional(Type.Record(Type.String(), Type.Boolean())),
          normalizeHttpPath: Type.Optional(Type.Boolean({ description: 'use dashed lower-case paths' }))
        },
        { additionalProperties: true }
      )
    ),
    options: Type.Optional(anyObject('settings, as if at the top level'))
  },
  { additionalProperties: true }
)

/**
 * A model as its author wrote it.
 * @example
 * ```ts
 * import type { ModelDefinition } from '@modelwire/core'
 *
 * const note: ModelDefinition = { name: 'Note', properties: { text: { type: 'string', required: true } } }
 * app.models.define(note)
 * console.log(app.models.get('Note').modelName) // Note
 * ```
 */
export type ModelDefinition = Static<typeof ModelDefinitionSchema> & Record<string, unknown>

/**
 * The last segment of a model's REST path.
 * @see recordings crud/plurals and crud/plurals-not
 */
export function pluralName(definition: ModelDefinition): string {
  return definition.plural ?? frozenPlurals.get(definition.name) ?? inflection.pluralize(definition.name)
}

/** The REST path of a model without its leading slash: `http.path`, else the plural. May contain slashes. */
export function httpPath(definition: ModelDefinition): string {
  const path = definition.http?.path ?? pluralName(definition)
  return path.replace(/^\/+|\/+$/g, '')
}
