import { ScriptArgumentInvalid } from '@modelwire/loopback-express'
import { dropRules, type ModelType, type Rule } from '@modelwire/core/plugin'

/** A rule as scripts find it in `Model.validations`. */
export type ValidationView = Readonly<Record<string, unknown> & { validation: string; options: object }>

type Validations = Record<string, readonly ValidationView[]>

/** LB3: `forceId` is a rule about the id, and dates have a rule of their own. */
const implied: readonly (readonly [holds: (model: ModelType, name: string) => boolean, view: ValidationView])[] = [
  [
    ({ forceId, idProperty }, name) => forceId && idProperty?.name === name,
    { validation: 'absence', if: 'isNewRecord', options: {} }
  ],
  [({ byName }, name) => byName.get(name)?.type.kind === 'date', { validation: 'date', options: {} }]
]

function viewOf({ kind, options }: Rule): ValidationView {
  return Object.freeze({ ...options, validation: kind, options: {} })
}

function readValidations(model: ModelType): Validations {
  const names = new Set([...model.properties.map(({ name }) => name), ...model.rules.map(({ property }) => property)])
  const views = Array.from(names, (name) => {
    const own = model.rules.filter(({ property }) => property === name).map(viewOf)
    const others = implied.filter(([holds]) => holds(model, name)).map(([, view]) => view)
    return [name, Object.freeze([...others, ...own])] as const
  })
  return Object.fromEntries(views.filter(([, list]) => list.length > 0))
}

/** Leaves a property the rules of some kinds alone. */
function keepKinds(model: ModelType, name: string, kinds: ReadonlySet<unknown>): void {
  dropRules(model, ({ property, kind }) => property === name && !kinds.has(kind))
  if (model.idProperty?.name === name && !kinds.has('absence')) model.forceId = false
}

/**
 * `Model.validations`: the rules of a model by property, as they are at the moment. `delete Model.validations.email` takes the rules
 * of a property away, and a shorter list in their place some of them.
 * @see LoopBack 3: loopback-datasource-juggler, lib/validations.js, configure
 */
export function validationsView(model: ModelType): Validations {
  const current = (): Validations => readValidations(model)
  return new Proxy<Validations>(
    {},
    {
      get: (target, key, receiver): unknown =>
        typeof key === 'string' ? current()[key] : Reflect.get(target, key, receiver),
      has: (_target, key) => key in current(),
      ownKeys: () => Reflect.ownKeys(current()),
      getOwnPropertyDescriptor: (_target, key) => {
        const value = typeof key === 'string' ? current()[key] : undefined
        return value && { value, enumerable: true, configurable: true, writable: true }
      },
      deleteProperty: (_target, key) => {
        keepKinds(model, String(key), new Set())
        return true
      },
      set: (_target, key, value: unknown) => {
        keepKinds(model, String(key), new Set(readKinds(model, String(key), value)))
        return true
      }
    }
  )
}

/** @throws {ScriptArgumentInvalid} the list has what the model has not */
function readKinds(model: ModelType, name: string, value: unknown): readonly unknown[] {
  const kinds = Array.isArray(value)
    ? value.map((item: unknown) => Reflect.get(Object(item), 'validation') as unknown)
    : undefined
  const existing = readValidations(model)[name] ?? []
  if (kinds?.every((kind) => existing.some(({ validation }) => validation === kind)) === true) return kinds
  throw new ScriptArgumentInvalid(
    'rules can be taken out of validations: add them by validatesPresenceOf and its kin',
    {
      model: model.name,
      key: `validations.${name}`
    }
  )
}
