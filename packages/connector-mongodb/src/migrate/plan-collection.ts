import { isDeepStrictEqual } from 'node:util'
import type { PlanOptions } from '@modelwire/core/connector'
import type { DocumentMap } from '../document/document-map.ts'
import { readMapping } from '../names/read-mapping.ts'
import { type CollectionPlan, planIndexes } from './plan-indexes.ts'
import { inShell, type PlannedStep, written } from './planned-step.ts'
import { wantedIndexes } from '../document/wanted-indexes.ts'
import { type CollectionState, imagesOption } from '../client/collection-state.ts'

type Options = Readonly<Record<string, unknown>>

/** The options for planning a collection. */
export interface CollectionOptions extends PlanOptions {
  /** The server keeps pre-images and post-images, for models that log their changes. */
  readonly isLogged: boolean
}

/** Plans the changes of one collection that its models require. */
export function planCollection(
  name: string,
  maps: readonly DocumentMap[],
  state: CollectionState,
  { empty, prune = false, isLogged }: CollectionOptions
): CollectionPlan {
  const model = maps.length === 1 ? maps[0]?.model.name : undefined
  const options = Object.assign({}, ...maps.map(validatorOf)) as Options // objects of options
  const isNew = !state.exists || empty
  const images = isLogged && maps.some(({ model: { logsChanges } }) => logsChanges) ? imagesOption : {}
  const before: CollectionState = isNew ? { exists: false, options: {}, indexes: [] } : state
  const { steps, notes } = planIndexes(name, maps.flatMap(wantedIndexes), before, prune)
  return {
    steps: [
      ...(state.exists && empty ? [dropCollection(name, model)] : []),
      ...(isNew
        ? [createCollection(name, model, { ...options, ...images })]
        : [
            ...changeOptions('set the validator', { name, model }, state.options, options),
            ...changeOptions('keep the earlier states of the records', { name, model }, state.options, images)
          ]),
      ...steps
    ],
    notes
  }
}

/** The validator of a model's collection. */
function validatorOf({ model }: DocumentMap): Options {
  const { validator, validationLevel, validationAction } = readMapping(model.definition)
  return {
    ...(validator !== undefined && { validator }),
    ...(validationLevel !== undefined && { validationLevel }),
    ...(validationAction !== undefined && { validationAction })
  }
}

function dropCollection(name: string, model: string | undefined): PlannedStep {
  return {
    step: {
      kind: 'dropTable',
      model,
      description: `drop the collection ${name} with all of its documents`,
      statement: `${inShell(name)}.drop()`,
      destructive: true
    },
    perform: (db) => db.collection(name).drop()
  }
}

function createCollection(name: string, model: string | undefined, options: Options): PlannedStep {
  const more = Object.keys(options).length === 0 ? '' : `, ${written(options)}`
  return {
    step: {
      kind: 'createTable',
      model,
      description: `create the collection ${name}`,
      statement: `db.createCollection(${JSON.stringify(name)}${more})`,
      destructive: false
    },
    perform: (db) => db.command({ create: name, ...options })
  }
}

/** Options that no model speaks of are left alone. */
function changeOptions(
  what: string,
  { name, model }: { readonly name: string; readonly model: string | undefined },
  there: Options,
  wanted: Options
): readonly PlannedStep[] {
  const isSame = Object.entries(wanted).every(([option, value]) => isDeepStrictEqual(there[option], value))
  if (isSame) return []
  const command = { collMod: name, ...wanted }
  return [
    {
      step: {
        kind: 'prepare',
        model,
        description: `${what} of the collection ${name}`,
        statement: `db.runCommand(${written(command)})`,
        destructive: false
      },
      perform: (db) => db.command(command)
    }
  ]
}
