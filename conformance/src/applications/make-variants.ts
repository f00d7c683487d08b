import type { Description, ModelDescription, Operation } from './description.ts'
import type { Variant } from './make-arguments.ts'
import type { Material } from './make-record.ts'
import { nameOf, targetOf } from './operation-name.ts'
import { asKnownId, knownRecord } from './records.ts'

const plain: Variant = { name: 'plain' }

function aCondition(model: string, material: Material): Readonly<Record<string, unknown>> | undefined {
  const { data } = knownRecord(material.records, model) ?? {}
  const properties = material.description.models[model]?.properties ?? {}
  const found = Object.entries(data ?? {}).find(
    ([name, value]) =>
      ['string', 'number'].includes(properties[name]?.type.toLowerCase() ?? '') &&
      properties[name]?.id !== true &&
      ['string', 'number'].includes(typeof value)
  )
  return found === undefined ? undefined : { [found[0]]: asKnownId(material.records, found[1]) }
}

const toInclude = ({ relations }: ModelDescription): string | undefined =>
  Object.entries(relations).find(
    ([, { embedded, polymorphic, target }]) => !embedded && !polymorphic && target !== ''
  )?.[0]

/** Filters that choose which records a list has; most come from a condition that holds for a record. */
function listFilters(idName: string, condition: Readonly<Record<string, unknown>> = {}): readonly Variant[] {
  const order = `${idName} ASC`
  const ofCondition = Object.entries(condition).flatMap(([name, value]): readonly Variant[] => [
    { name: 'where', filter: { where: { [name]: value } } },
    { name: 'operators', filter: { where: { or: [{ [name]: { inq: [value] } }, { [name]: { gt: value } }] }, order } },
    { name: 'not', filter: { where: { [name]: { neq: value } }, order } }
  ])
  return [{ name: 'page', filter: { order: `${idName} DESC`, limit: 2, skip: 1 } }, ...ofCondition]
}

function filters(
  model: ModelDescription,
  condition: Readonly<Record<string, unknown>> | undefined,
  ofList: boolean
): readonly Variant[] {
  const { idName = 'id' } = model
  const order = ofList ? { order: `${idName} ASC` } : {}
  const include = toInclude(model)
  const first = Object.keys(model.properties).find((name) => name !== idName)
  return [
    ...(ofList ? listFilters(idName, condition) : []),
    ...(include === undefined ? [] : [{ name: 'include', filter: { include, ...order } }]),
    ...(first === undefined ? [] : [{ name: 'fields', filter: { fields: [idName, first], ...order } }])
  ]
}

/** One record is asked for, by its id or as the only related one. */
const isOfOne = (operation: Operation): boolean => /ById$|ById__$|findOne$/.test(nameOf(operation).verb)

function modelOf(description: Description, operation: Operation): string {
  const name = nameOf(operation)
  return targetOf(description, name) ?? name.model
}

/** What an operation with a filter or a condition is asked besides nothing. */
export function makeVariants(operation: Operation, material: Material): readonly Variant[] {
  const names = new Set(operation.args.map(({ name }) => name))
  const model = modelOf(material.description, operation)
  const described = material.description.models[model]
  if (described === undefined) return [plain]
  const condition = aCondition(model, material)
  if (names.has('filter')) return [plain, ...filters(described, condition, !isOfOne(operation))]
  if (!names.has('where')) return [plain]
  // A write to everything that matches would end most of what later requests ask for.
  const where = {
    name: 'where',
    where: condition ?? { [described.idName ?? 'id']: knownRecord(material.records, model)?.id ?? 1 }
  }
  return operation.verb === 'get' ? [plain, where] : [where]
}
