import { Type, type Static } from '@sinclair/typebox'
import { AccessRuleSchema } from './access-rule.ts'
import { AggregateSettingsSchema } from './aggregate-settings.ts'
import { PropertyDefinitionSchema, TypeReferenceSchema } from './property-definition.ts'
import { RelationDefinitionSchema } from './relation-definition.ts'
import { ListSettingsSchema } from './list-settings.ts'

const names = (description: string) => Type.Array(Type.String(), { description })
const anyObject = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description })

/** The property that holds the version of a record, unless a model names another one. */
export const defaultVersionProperty = 'version'

/** A model file of LoopBack 3. Keys that are not listed are kept as settings for scripts and other packages. */
export const ModelDefinitionSchema = Type.Object(
  {
    name: Type.String({ minLength: 1, description: 'model name' }),
    plural: Type.Optional(
      Type.String({ minLength: 1, description: 'last segment of the REST path; pluralised name when absent' })
    ),
    http: Type.Optional(
      Type.Object(
        { path: Type.Optional(Type.String({ description: 'REST path, in place of the plural' })) },
        { additionalProperties: true }
      )
    ),
    base: Type.Optional(
      Type.Union([Type.String(), Type.Null()], { description: 'model to extend; PersistedModel when absent' })
    ),
    description: Type.Optional(Type.Unknown()),
    properties: Type.Optional(Type.Record(Type.String(), Type.Union([PropertyDefinitionSchema, TypeReferenceSchema]))),
    relations: Type.Optional(Type.Record(Type.String(), RelationDefinitionSchema)),
    acls: Type.Optional(Type.Array(AccessRuleSchema)),
    methods: Type.Optional(
      Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown()), {
        description: 'remote methods by name; `prototype.` marks those of an instance'
      })
    ),
    mixins: Type.Optional(anyObject('mixins by name; false leaves one out')),
    validations: Type.Optional(Type.Unknown({ description: 'validation rules by property' })),
    strict: Type.Optional(
      Type.Union([Type.Boolean(), Type.Literal('throw'), Type.Literal('validate'), Type.Literal('filter')], {
        description:
          'refuse undeclared properties (filter: leave them out); the default of defineModel, not of plain definitions'
      })
    ),
    idInjection: Type.Optional(Type.Boolean({ description: 'false: no id property is added' })),
    forceId: Type.Optional(
      Type.Union([Type.Boolean(), Type.Literal('auto')], { description: 'refuse ids chosen by clients' })
    ),
    replaceOnPUT: Type.Optional(Type.Boolean({ description: 'PUT replaces (true) or updates in part (false)' })),
    validateUpsert: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
    automaticValidation: Type.Optional(Type.Boolean({ description: 'false: records are stored without validation' })),
    persistUndefinedAsNull: Type.Optional(
      Type.Boolean({ description: 'absent declared properties are stored as null' })
    ),
    applyDefaultsOnReads: Type.Optional(Type.Boolean()),
    updateOnLoad: Type.Optional(
      Type.Boolean({ description: 'records just created or patched show what observers of `loaded` set' })
    ),
    hidden: Type.Optional(names('properties never sent to clients')),
    protected: Type.Optional(names('properties sent only at the top level')),
    holdsSecrets: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'records show secrets, such as tokens or keys: answers about them are not kept for idempotency keys'
      })
    ),
    scope: Type.Optional(
      Type.Unknown({ description: 'default filter of every query; its values are forced on new records' })
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
                  description: 'property that holds the version; added where it is not declared'
                })
              ),
              requireIfMatch: Type.Optional(
                Type.Boolean({ default: false, description: 'refuse changes by id without If-Match' })
              )
            },
            { additionalProperties: false }
          )
        ],
        { description: 'give records a version that every write renews: entity tags and conditional requests' }
      )
    ),
    changeLog: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'the database logs changes in the transaction that makes them: other processes hear of them, and streams can be resumed'
      })
    ),
    aggregate: Type.Optional(
      Type.Union([Type.Boolean(), AggregateSettingsSchema], {
        description: 'let clients ask for sums and groups over REST; an object limits what they may ask for'
      })
    ),
    lists: Type.Optional(ListSettingsSchema),
    public: Type.Optional(Type.Boolean({ description: 'reachable over REST' })),
    dataSource: Type.Optional(Type.Union([Type.String(), Type.Null()], { description: 'data source of the model' })),
    remoting: Type.Optional(
      Type.Object(
        {
          sharedMethods: Type.Optional(Type.Record(Type.String(), Type.Boolean())),
          normalizeHttpPath: Type.Optional(Type.Boolean({ description: 'paths are written-like-this' }))
        },
        { additionalProperties: true }
      )
    ),
    options: Type.Optional(anyObject('settings, as if they stood at the top level'))
  },
  { additionalProperties: true }
)

/** A model as its author wrote it. */
export type ModelDefinition = Static<typeof ModelDefinitionSchema> & Record<string, unknown>
