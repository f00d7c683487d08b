import type { ModelDefinition } from '@modelwire/core'
import { at, namesIn } from './models.ts'
import { idOf, type Row, rowOf } from './sight.ts'
import { type Sent, templatesFor, templatesOfModels } from './templates.ts'
import type { Case, FilterSpec, RequestSpec, WhereSpec } from './case.ts'

type Definitions = readonly ModelDefinition[]

const propertiesOf = ({ properties = {} }: ModelDefinition): readonly string[] => Object.keys(properties)

/** The relations of a model: those to generated ones more than once, so that they are taken more often. */
function relationsOf({ relations = {} }: ModelDefinition): readonly string[] {
  const generated = Object.keys(relations).filter((name) => name !== 'user' && name !== 'team')
  return [...generated, ...generated, ...generated, ...generated, 'user', 'team']
}

function targetOf(definition: ModelDefinition, relation: string, all: Definitions): ModelDefinition | undefined {
  return all.find(({ name }) => name === definition.relations?.[relation]?.model)
}

function valueFor(name: string, value: number, spec: Case): unknown {
  if (name === 'n' || name === 'tier') return value % 3
  if (name === 'userId') return value % 2 === 0 ? 7 : 8
  if (name === 'teamId') return (value % 2) + 1
  const isText = name === 's' || name === 'secret' || (name.startsWith('f') && spec.links[Number(name[1])]?.byText)
  if (isText === true) return at(['a', 'b', 'c'], value)
  return name.endsWith('Type') ? `M${value % spec.models.length}` : idOf(spec, (value % 6) + 1)
}

function testOf(name: string, { operator, value }: WhereSpec, spec: Case): unknown {
  const operand = valueFor(name, value, spec)
  if (operator === 'eq') return operand
  if (operator === 'null') return null
  return { [operator]: operator === 'inq' ? [operand, valueFor(name, value + 1, spec)] : operand }
}

/** A condition as it is written. */
function whereOf(definition: ModelDefinition, where: WhereSpec, all: Definitions, spec: Case): object {
  const { along, joined, place } = where
  const relation = along === null ? undefined : at(relationsOf(definition), along)
  const target = relation === undefined ? undefined : targetOf(definition, relation, all)
  const name = at(propertiesOf(target ?? definition), place)
  const test = { [name]: testOf(name, where, spec) }
  const condition = target === undefined || relation === undefined ? test : { [relation]: test }
  return joined === null ? condition : { [joined.by]: [condition, whereOf(definition, joined.other, all, spec)] }
}

function orderOf(definition: ModelDefinition, order: NonNullable<FilterSpec['order']>, all: Definitions): string {
  const relation = order.along === null ? undefined : at(relationsOf(definition), order.along)
  const target = relation === undefined ? undefined : targetOf(definition, relation, all)
  const name = at(propertiesOf(target ?? definition), order.place)
  return `${target === undefined ? name : `${relation}.${name}`} ${order.descending ? 'DESC' : 'ASC'}`
}

/** A filter as it is written. */
function filterOf(definition: ModelDefinition, filter: FilterSpec, all: Definitions, spec: Case): Row {
  const { where, order, limit, skip, fields, include } = filter
  const relation = include === null ? undefined : at(relationsOf(definition), include.relation)
  const target = relation === undefined ? undefined : targetOf(definition, relation, all)
  const scope = include?.scope && target ? filterOf(target, include.scope, all, spec) : undefined
  const names = fields === null ? [] : namesIn(fields, propertiesOf(definition))
  return {
    ...(where === null ? {} : { where: whereOf(definition, where, all, spec) }),
    ...(order === null ? {} : { order: orderOf(definition, order, all) }),
    ...(limit === null ? {} : { limit }),
    ...(skip === null ? {} : { skip }),
    ...(fields === null ? {} : { fields: fields.except ? Object.fromEntries(names.map((n) => [n, false])) : names }),
    ...(relation === undefined ? {} : { include: scope === undefined ? relation : { relation, scope } })
  }
}

const text = (value: unknown): string => JSON.stringify(value)

/** The names of some of the values. */
const some = (row: Row, names: readonly string[]): Row =>
  Object.fromEntries(names.filter((name) => Object.hasOwn(row, name)).map((name) => [name, row[name]]))

/** A request as it is sent to the server of a case. */
export function requestOf(request: RequestSpec, all: Definitions, spec: Case): Sent {
  const definition = at(all, request.model)
  const relation = at(relationsOf(definition), request.relation)
  const target = targetOf(definition, relation, all)
  const [id, other] = [idOf(spec, request.id), idOf(spec, request.other)]
  const root = `/${definition.name.toLowerCase()}`
  const filter = filterOf(definition, request.filter, all, spec)
  const related = target === undefined ? {} : filterOf(target, request.filter, all, spec)
  const whole = rowOf(definition, request.data.values, spec)
  const inner = target === undefined ? whole : rowOf(target, request.data.values, spec)
  const usesRelation = request.kind % 2 === 0
  const templates = usesRelation ? templatesFor(definition.relations?.[relation] ?? {}) : templatesOfModels
  return at(
    templates,
    request.kind >> 1
  )({
    root,
    one: `${root}/${id}`,
    nested: `${root}/${id}/${relation}`,
    related: `${root}/${id}/${relation}/${other}`,
    below: target === undefined ? 'user' : at(relationsOf(target), request.below),
    query: text(filter),
    queryOfRelated: text(related),
    where: text(filter['where'] ?? { id: { lt: other } }),
    whereOfRelated: text(related['where'] ?? {}),
    scoped: text({ fields: filter['fields'], include: filter['include'] }),
    part: some(whole, namesIn({ except: false, places: request.data.places }, Object.keys(whole))),
    partOfRelated: some(inner, namesIn({ except: false, places: request.data.places }, Object.keys(inner))),
    whole: { id, ...whole },
    id,
    other
  })
}
